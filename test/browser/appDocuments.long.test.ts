/** Page at /app/: Save as PDF writes the pages that are shown, as they are shown. */
import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { canReadPdfs, inksOf } from '../client/drawnPdf.js';
import { start } from '../spec/specTest.js';
import { insertFile, virtualTopology } from '../topology/virtualTopology.js';
import { choose, keptScans, launch, openApp, openTab, sample, untilIdle, untilPages } from './appPage.js';
import { blankSheet, chooseQuick, configText, insert } from './appSheets.js';
import { pdfIn, saved, scan } from './appStack.js';

void t.test('page at /app/: no plugin writes PDFs, nothing that needs one is shown', async t => {
  if (!needs(t, 'chromium')) return;
  const { plugins, ...rest } = JSON.parse(await configText()) as { plugins: { use?: string }[] };
  const others = plugins.filter(({ use }) => use?.endsWith('document-pdf') !== true);
  const fixture = await start(t, virtualTopology, { configText: JSON.stringify({ ...rest, plugins: others }) });
  const browser = await launch(t);
  const { page, problems } = await openApp(browser, fixture);
  await chooseQuick(page, 'Feeder A');
  await insert(fixture, 'a', 1);
  await scan(page, 1);
  await page.getByText('More', { exact: true }).click();
  t.equal(await page.getByRole('button', { name: /PDF|separator/ }).count(), 0);
  t.same(problems, []);
});

void t.test('page at /app/: Save as PDF', async t => {
  if (!needs(t, 'chromium') || !canReadPdfs(t)) return;
  const fixture = await start(t, virtualTopology, { configText: await configText() });
  const browser = await launch(t);

  await t.test('the built-in documents: a PDF with their text, titled after the scanner', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await choose(page, 'Feeder A');
    await scan(page, 3);
    const download = await saved(page);
    t.match(download.suggestedFilename(), /^scan-\d{8}-\d{4}\.pdf$/);
    const { pages, title, text } = await pdfIn(download);
    t.equal(pages.length, 3);
    t.match(title, /^Feeder A, /);
    t.match(text, /Northfield Instruments/);
    t.equal(await page.locator('#saving').textContent(), '', 'the activity is over');
    t.equal(await page.locator('.notice.alert').count(), 0);
    t.same(problems, []);
    await page.close();
    const { page: again } = await openTab(page.context(), fixture.url);
    await again.locator('#saved-documents').waitFor();
    t.equal(await again.locator('.thumb').count(), 0, 'saved: not offered as a scan that waits');
    t.equal((await keptScans(fixture)).length, 1, 'and kept: a download that began is no file yet');
    await again.context().close();
  });

  await t.test('a page was removed: the others, in order; then its Undo, all of them', async t => {
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1, 2, 3, 4);
    await scan(page, 4);
    await page.getByRole('button', { name: 'Page 2', exact: true }).click();
    await page.getByRole('button', { name: 'Remove page 2' }).click();
    t.same(inksOf(await pdfIn(await saved(page))), [1, 3, 4]);
    await page.locator('#undo').click();
    await untilPages(page, 4);
    t.same(inksOf(await pdfIn(await saved(page))), [1, 2, 3, 4]);
    await page.context().close();
  });

  await t.test('a jam: the page before it, and Continue stays', async t => {
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder C');
    await insert(fixture, 'c', 5, 6);
    await page.locator('#scan:enabled').click();
    await page.getByRole('alert').getByText('Page 2 jammed').waitFor();
    t.same(inksOf(await pdfIn(await saved(page))), [5]);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await page.context().close();
  });

  await t.test('two scans, one PDF; once it is saved, the next scan is another one', async t => {
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 5);
    await scan(page, 1);
    await insert(fixture, 'a', 1, 2);
    await scan(page, 3);
    t.same(inksOf(await pdfIn(await saved(page))), [5, 1, 2]);
    await page.locator('#saved').waitFor();
    await insert(fixture, 'a', 7);
    await page.locator('#scan:enabled').click();
    await page.locator('#saved').waitFor({ state: 'detached' });
    await untilPages(page, 1);
    await untilIdle(page);
    t.same(inksOf(await pdfIn(await saved(page))), [7]);
    await page.context().close();
  });

  await t.test('while a scan runs: the pages that are shown', async t => {
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder H');
    await insert(fixture, 'h', 3, 4, 5);
    await page.locator('#scan:enabled').click();
    await untilPages(page, 2);
    t.same(inksOf(await pdfIn(await saved(page))), [3, 4]);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await untilIdle(page);
    await page.context().close();
  });

  await t.test('a damaged page: an alert; without it, or once it is known, the others are saved', async t => {
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1, 2, 3);
    await scan(page, 3);
    const scans = await keptScans(fixture);
    await truncate(join(fixture.dataDir, 'scans', scans.at(-1)?.id ?? '', '2.page'), 10);
    await page.getByRole('button', { name: 'Save as PDF' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The PDF could not be saved').waitFor();
    await page.getByRole('button', { name: 'Page 2', exact: true }).click();
    await page.getByRole('button', { name: 'Remove page 2' }).click();
    t.same(inksOf(await pdfIn(await saved(page))), [1, 3]);
    t.equal(await page.locator('.notice.alert').count(), 0, 'its message is gone');
    await page.locator('#undo').click();
    await untilPages(page, 3);
    await page.reload();
    await untilPages(page, 3);
    t.same(inksOf(await pdfIn(await saved(page))), [1, 3]);
    await alert.getByText('PDF saved', { exact: true }).waitFor();
    t.match(await alert.textContent(), /page 2/, 'the alert names it');
    await page.context().close();
  });

  await t.test('blank pages: marked, left out of the PDF unless they are wanted', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    const blank = await blankSheet();
    const stack = async (): Promise<void> => {
      for (const [name, bytes] of [
        ['1.png', await readFile(sample('letter.png'))],
        ['2.png', blank],
        ['3.png', await readFile(sample('invoice.png'))],
      ] as const)
        await insertFile(join(fixture.dataDir, 'trays', 'a'), name, bytes);
    };
    const count = async (button?: string): Promise<number> => (await pdfIn(await saved(page, button))).pages.length;
    await page.getByLabel('Blank pages').selectOption({ label: 'Leave out of documents' });
    await stack();
    await scan(page, 3);
    t.same(await page.locator('.thumb').evaluateAll(all => all.map(each => each.getAttribute('aria-label'))), [
      'Page 1',
      'Page 2, blank',
      'Page 3',
    ]);
    t.equal(await count(), 2);
    await page.locator('#notes').getByText('Left out as blank: page 2.').waitFor();
    t.equal(await count('Save with blank pages'), 3);

    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByLabel('Blank pages').selectOption({ label: 'Mark' });
    await stack();
    await scan(page, 3);
    t.equal(await page.locator('.thumb-blank').count(), 1);
    t.equal(await count(), 3, 'a mark alone leaves nothing out');
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('a separator sheet to print: a PDF of one page', async t => {
    const { page } = await openApp(browser, fixture);
    await page.getByText('More', { exact: true }).click();
    const download = await saved(page, 'Save a separator sheet');
    t.equal(download.suggestedFilename(), 'separator-sheet.pdf');
    t.equal((await pdfIn(download)).pages.length, 1);
    await page.context().close();
  });

  await t.test('Cancel: the service stops writing, nothing is saved, and the focus returns', async t => {
    const { page } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1);
    await scan(page, 1);
    let asked = 0;
    // Never answered.
    await page.route('**/api/documents', () => void asked++);
    await page.getByRole('button', { name: 'Save as PDF' }).click();
    await page.getByRole('progressbar', { name: 'Saving as PDF' }).waitFor();
    await page.getByRole('button', { name: 'Save as PDF' }).click();
    await page.getByRole('button', { name: 'Cancel saving' }).click();
    await page.locator('#saving .activity').waitFor({ state: 'detached' });
    t.equal(asked, 1, 'one at a time');
    t.equal(await page.evaluate(`document.querySelector('platen-scan').shadowRoot.activeElement.id`), 'save-pdf');
    t.equal(await page.locator('.notice.alert').count(), 0);
    await page.unroute('**/api/documents');
    t.same(inksOf(await pdfIn(await saved(page))), [1]);
    await page.context().close();
  });
});
