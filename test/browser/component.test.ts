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
