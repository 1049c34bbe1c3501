/** `<platen-scan>` in a page of another origin: a document of two sheets with a jam between them is posted as one PDF. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { disable, enable } from '../spec/autoscanCalls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import {
  formOf,
  handsIn,
  headOf,
  PDF_PROGRAMS,
  SCAN,
  scanAndSend,
  SMALL,
  seenIn,
  untilDone,
  untilScanned,
} from './componentKit.js';
import { openPage } from './foreignPage.js';

const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
const html = headOf(fixture) + formOf('<platen-scan name="document"></platen-scan>');

// In Firefox: componentFirefox.long.test.ts.
t.test('platen-scan in Chromium: a jam, Continue, a turned page, one posted PDF', async t => {
  if (!['chromium', ...PDF_PROGRAMS].every(program => needs(t, program))) return;
  const { page, problems, posted } = await openPage(t, { html });
  await scanAndSend(t, fixture, handsIn(page), () => posted('/posted'));
  t.same(problems, []);
});

t.test('platen-scan: a form is not sent without the pages that it shows', async t => {
  if (!needs(t, 'chromium')) return;
  const element = `<platen-scan name="document" scanner="${fixture.name('duplex')}" ${SMALL}></platen-scan>`;
  const { page, problems, posted, reload } = await openPage(t, { html: headOf(fixture) + formOf(element) });
  const hands = handsIn(page);
  const isValid = (): Promise<unknown> => page.evaluate('document.forms[0].checkValidity()');
  const focused = (): Promise<unknown> => page.evaluate(`${SCAN}.shadowRoot.activeElement?.id`);
  await fixture.load('duplex', sheets(1, 2, 3));
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

  await reload();
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
  const element = `<platen-scan name="document" actions="done save" lang="en" scanner="${fixture.name('duplex')}" ${SMALL}></platen-scan>`;
  const { page, problems, posted } = await openPage(t, { html: headOf(fixture) + formOf(element) });
  const hands = handsIn(page);
  await fixture.load('duplex', sheets(1, 2));
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
    const element = `<platen-scan scanner="${fixture.name('slow')}" ${SMALL}></platen-scan>`;
    const { page } = await openPage(t, { html: headOf(fixture) + formOf(element) });
    const hands = handsIn(page);
    const isValidWith = (name: string, actions: string): Promise<unknown> =>
      page.evaluate(`{
      ${SCAN}.setAttribute('actions', '${actions}');
      ${SCAN}.${name ? `setAttribute('name', '${name}')` : `removeAttribute('name')`};
      new Promise(requestAnimationFrame).then(() => document.forms[0].checkValidity());
    }`);
    await fixture.load('slow', sheets(1, 2, 3));
    await hands.click('#scan:enabled');
    await hands.until(`${SCAN}.activity === 'scan'`);
    t.equal(await isValidWith('document', 'done'), false, 'its pages are still to come');
    t.equal(await isValidWith('', 'done'), true);
    t.equal(await isValidWith('document', 'save'), true);
    await hands.click('#stop');
    await hands.until(`${SCAN}.activity === undefined`);
  },
);

t.test('platen-scan: pages of auto-scan survive a reload, and are handed over by Done', async t => {
  if (!['chromium', ...PDF_PROGRAMS].every(program => needs(t, program))) return;
  const element = `<platen-scan name="document" actions="done auto-scan" scanner="${fixture.name('duplex')}" ${SMALL}></platen-scan>`;
  const { page, problems, posted, reload } = await openPage(t, { html: headOf(fixture) + formOf(element) });
  const hands = handsIn(page);
  await fixture.load('duplex', []);
  await hands.click('#auto:enabled');
  await hands.until(`${SCAN}.activity === 'auto'`);
  await fixture.insert('duplex', sheets(1));
  await hands.until(`${SCAN}.pages.length === 1`);
  t.equal(await page.evaluate('document.forms[0].checkValidity()'), false, 'pages are still to come');
  await reload();
  await hands.until(`${SCAN}.activity === 'auto' && ${SCAN}.pages.length === 1`);
  await fixture.insert('duplex', sheets(2));
  await hands.until(`${SCAN}.pages.length === 2`);
  await hands.click('#stop');
  await untilScanned(hands, 2);
  await hands.click('#done');
  await untilDone(hands);
  await hands.click('#send');
  const file = (await posted('/posted')).get('document');
  if (!(file instanceof File)) return void t.fail('no file');
  t.match(await seenIn(t, await file.bytes()), { pages: 2, inks: [1, 2] });
  t.same(problems, []);
});

t.test('platen-scan: a scanner that another page uses says so, and is free again', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await openPage(t, { html: headOf(fixture) + formOf('<platen-scan></platen-scan>') });
  const name = fixture.name('duplex');
  const card = (state: string) => page.getByRole('radio', { name: `${name}${state}`, exact: true });
  await card('').waitFor();
  await fixture.load('duplex', []);
  await enable(t, fixture, 'duplex');
  await card(', In use').waitFor();
  await page.locator('.tag', { hasText: 'In use' }).waitFor();
  await disable(fixture);
  await card('').waitFor();
  t.equal(await page.locator('.tag', { hasText: 'In use' }).count(), 0);
  t.same(problems, []);
});
