/** The examples of `<platen-scan>`, each in a page of another origin: scan, Done, and the application has one PDF. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { handsIn, SCAN, seenIn, untilDone, untilScanned } from './componentKit.js';
import { bundled, examples } from './exampleBundles.js';
import { openPage, type Opened } from './foreignPage.js';

const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf'] });
const icon = '<!doctype html><link rel="icon" href="data:,">';

async function scan({ page }: Opened): Promise<void> {
  const hands = handsIn(page);
  await fixture.load('duplex', sheets(1, 2));
  await hands.click(`input[aria-label="${fixture.name('duplex')}"]`);
  await hands.until(`${SCAN}.chosenScanner?.name === '${fixture.name('duplex')}'`);
  await hands.click('#scan:enabled');
  await untilScanned(hands, 2);
  await hands.click('#done');
  await untilDone(hands);
}

const isSeen = async (t: Test, file: unknown): Promise<void> => {
  if (!(file instanceof Blob)) return void t.fail('no file');
  t.equal(file.type, 'application/pdf');
  t.same((await seenIn(t, new Uint8Array(await file.arrayBuffer()))).inks, [1, 2]);
};

t.test('plain: the form posts it', async t => {
  if (!needs(t, 'chromium')) return;
  const text = await readFile(join(examples, 'plain', 'index.html'), 'utf8');
  const opened = await openPage(t, { html: icon + text.replaceAll('https://localhost:53052', fixture.url) });
  await scan(opened);
  await handsIn(opened.page).click('form > button');
  await isSeen(t, (await opened.posted('/documents')).get('document'));
  t.same(opened.problems, []);
});

for (const entry of ['react/main.jsx', 'vue/main.js', 'angular/main.ts'])
  t.test(`${entry}: the application has it`, async t => {
    if (!needs(t, 'chromium')) return;
    // A bundle from npm calls the standard address.
    const module = (await bundled(entry)).replaceAll('https://localhost:53052', fixture.url);
    const opened = await openPage(t, {
      html: `${icon}<body><script type="module">${module.replaceAll('</script', '<\\/script')}</script>`,
    });
    const { page, problems } = opened;
    await page.locator('platen-scan').waitFor();
    await page.evaluate(`addEventListener('platen-done', ({ detail }) => (globalThis.given = detail.files))`);
    await scan(opened);
    t.match(await page.locator('output').textContent(), /^scan-\d{8}-\d{4}\.pdf, \d+ bytes$/);
    t.equal(await page.evaluate('given.length'), 1);
    const base64 = await page.evaluate(
      `given[0].bytes().then(bytes => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')))`,
    );
    await isSeen(
      t,
      new Blob([Buffer.from(String(base64), 'base64')], { type: String(await page.evaluate('given[0].type')) }),
    );
    t.same(problems, []);
  });
