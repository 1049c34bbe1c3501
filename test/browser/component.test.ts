/** `<platen-scan>` in a page of another origin: a document of two sheets with a jam between them is posted as one PDF. */
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import {
  formOf,
  handsIn,
  handsInFirefox,
  headOf,
  SCAN,
  SMALL,
  seenIn,
  untilDone,
  untilScanned,
  type Hands,
} from './componentKit.js';
import { FIREFOX, openInFirefox } from './firefox.js';
import { openPage } from './foreignPage.js';

const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
const jamming = fixture.name('jamming');
const html = headOf(fixture) + formOf('<platen-scan name="document"></platen-scan>');

async function scanAndSend(t: Test, hands: Hands, posted: () => Promise<FormData>): Promise<void> {
  await fixture.load('jamming', sheets(1, 2));
  await hands.click(`input[aria-label="${jamming}"]`);
  await hands.until(`${SCAN}.chosenScanner?.name === '${jamming}'`);
  await hands.click('#scan:enabled');
  await untilScanned(hands, 1);
  // Sheet 2 of every scan jams.
  await fixture.load('jamming', sheets(2));
  await hands.click('#alerts .notice > button:not(.ghost)');
  await untilScanned(hands, 2);
  await hands.click('#strip li:nth-child(2) .thumb');
  await hands.click('[aria-label="Turn page 2 right"]');
  await hands.click('#done');
  await untilDone(hands);
  await hands.click('#send');

  const form = await posted();
  t.same([...form.keys()], ['document']);
  const file = form.get('document');
  if (!(file instanceof File)) return void t.fail('no file');
  t.match(file.name, /^scan-\d{8}-\d{4}\.pdf$/);
  t.equal(file.type, 'application/pdf');
  t.same(await seenIn(t, await file.bytes()), { pages: 2, inks: [1, 2], turns: [0, 90] });
}

const programs = ['qpdf', 'pdfinfo', 'pdfimages'] as const;

t.test('platen-scan in Chromium: a jam, Continue, a turned page, one posted PDF', async t => {
  if (!['chromium', ...programs].every(program => needs(t, program))) return;
  const { page, problems, posted } = await openPage(t, { html });
  await scanAndSend(t, handsIn(page), () => posted('/posted'));
  t.same(problems, []);
});

t.test('platen-scan in Firefox: the same', async t => {
  if (![FIREFOX, ...programs].every(program => needs(t, program))) return;
  const { page, problems, site } = await openInFirefox(t, { html });
  await scanAndSend(t, handsInFirefox(page), () => site.posted('/posted'));
  t.same(problems, []);
});

t.test('platen-scan: a form is not sent without the pages that it shows', async t => {
  if (!needs(t, 'chromium')) return;
  const own = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
  const element = `<platen-scan name="document" scanner="${own.name('duplex')}" ${SMALL}></platen-scan>`;
  const { page, problems, posted } = await openPage(t, { html: headOf(own) + formOf(element) });
  const hands = handsIn(page);
  const isValid = (): Promise<unknown> => page.evaluate('document.forms[0].checkValidity()');
  const focused = (): Promise<unknown> => page.evaluate(`${SCAN}.shadowRoot.activeElement?.id`);
  await own.load('duplex', sheets(1, 2, 3));
  await page.locator('#scan:enabled').waitFor();
  t.equal(await isValid(), true, 'no pages: it may be sent without a document');
  // As Vue sets it.
  for (const isRequired of [true, false]) {
    await page.evaluate(`${SCAN}.required = ${isRequired}`);
    t.equal(await isValid(), !isRequired, `required: ${isRequired}`);
  }
  await hands.click('#scan:enabled');
  await untilScanned(hands, 3);
  await hands.click('#send');
  t.equal(await focused(), 'done', 'the browser leads to Done');
  t.equal(await isValid(), false);
  await hands.click('#done');
  await untilDone(hands);
  t.equal(await isValid(), true);

  for (const [change, back] of [
    ['[aria-label="Turn page 1 right"]', '#undo'],
    ['[aria-label="Remove page 1"]', '#undo'],
  ] as const) {
    await hands.click(change);
    await page.locator('#undo:not([aria-disabled])').waitFor();
    t.equal(await isValid(), false, `${change}: the files are of other pages`);
    await hands.click(back);
    await page.locator('#undo[aria-disabled]').waitFor();
    t.equal(await isValid(), true, 'undone: the files are of these pages');
  }
  await hands.click('#clear');
  await hands.until(`${SCAN}.files.length === 0`);
  t.equal(await isValid(), true, 'all are removed: the form has none');
  await hands.click('#undo');
  await untilScanned(hands, 3);
  t.equal(await isValid(), false);

  await page.reload();
  await untilScanned(hands, 3);
  t.equal(await isValid(), false, 'the pages survived the reload, the files did not');
  await hands.click('#done');
  await untilDone(hands);
  await hands.click('#send');
  const file = (await posted('/posted')).get('document');
  if (!(file instanceof File)) return void t.fail('no file');
  t.same((await seenIn(t, await file.bytes())).inks, [1, 2, 3]);
  t.same(problems, []);
});

t.test('platen-scan: saved and handed over, a document stays in the form', async t => {
  if (!needs(t, 'chromium')) return;
  const own = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
  const element = `<platen-scan name="document" actions="done save" lang="en" scanner="${own.name('duplex')}" ${SMALL}></platen-scan>`;
  const { page, problems, posted } = await openPage(t, { html: headOf(own) + formOf(element) });
  const hands = handsIn(page);
  await own.load('duplex', sheets(1, 2));
  await hands.click('#scan:enabled');
  await untilScanned(hands, 2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as PDF' }).click();
  const name = (await download).suggestedFilename();
  await page.locator('.notice').getByText(name).waitFor();
  await hands.click('#done');
  await untilDone(hands);
  t.equal(await page.locator('#new-document').count(), 0, 'nothing offers to take it out of the form');
  // The feeder is empty.
  await hands.click('#scan:enabled');
  await page.locator('#alerts .notice.alert').first().waitFor();
  t.equal(await page.evaluate(`${SCAN}.activity`), undefined);
  t.equal(await page.evaluate(`${SCAN}.pages.length`), 2);
  await hands.click('#send');
  const file = (await posted('/posted')).get('document');
  if (!(file instanceof File)) return void t.fail('no file');
  t.same((await seenIn(t, await file.bytes())).inks, [1, 2]);
  t.same(problems, []);
});

t.test(
  'platen-scan: a form waits for a running scan; without a name, or without Done, the element holds nothing back',
  async t => {
    if (!needs(t, 'chromium')) return;
    const own = await start(t, virtualTopology);
    const element = `<platen-scan scanner="${own.name('slow')}" ${SMALL}></platen-scan>`;
    const { page } = await openPage(t, { html: headOf(own) + formOf(element) });
    const hands = handsIn(page);
    const isValidWith = (name: string, actions: string): Promise<unknown> =>
      page.evaluate(`{
      ${SCAN}.setAttribute('actions', '${actions}');
      ${SCAN}.${name ? `setAttribute('name', '${name}')` : `removeAttribute('name')`};
      new Promise(requestAnimationFrame).then(() => document.forms[0].checkValidity());
    }`);
    await own.load('slow', sheets(1, 2, 3));
    await hands.click('#scan:enabled');
    await hands.until(`${SCAN}.activity === 'scan'`);
    t.equal(await isValidWith('document', 'done'), false, 'its pages are still to come');
    t.equal(await isValidWith('', 'done'), true);
    t.equal(await isValidWith('document', 'save'), true);
    await hands.click('#stop');
    await hands.until(`${SCAN}.activity === undefined`);
  },
);
