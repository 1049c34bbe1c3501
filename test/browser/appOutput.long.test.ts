/** Page at /app/: what is saved and printed of pages that were scanned, moved and turned; thumbnails of all formats. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { canReadPdfs, inksOf, readPdf } from '../client/drawnPdf.js';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { choose, drawn, launch, openApp } from './appPage.js';
import { chooseQuick, configText, insert } from './appSheets.js';
import { order, pdfIn, saved, savedByMenu, scan, thumb, thumbSizes } from './appStack.js';
import { filesIn } from './archive.js';

const run = promisify(execFile);

void t.test('page at /app/: saved and printed', async t => {
  if (!needs(t, 'chromium') || !canReadPdfs(t)) return;
  const fixture = await start(t, virtualTopology, { configText: await configText() });
  const browser = await launch(t);
  const found: string[][] = [];

  async function open(t: Test): Promise<Page> {
    const { page, problems } = await openApp(browser, fixture);
    t.teardown(() => page.context().close());
    found.push(problems);
    return page;
  }

  /** Pages 3 1 4 2 of two scans; the first is upside down, the last lies on its side. */
  async function ordered(t: Test): Promise<Page> {
    const page = await open(t);
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1, 2, 3);
    await scan(page, 3);
    await insert(fixture, 'a', 4);
    await scan(page, 4);
    await thumb(page, 3).focus();
    await page.keyboard.press('Alt+Home');
    await page.keyboard.press('r');
    await page.keyboard.press('r');
    await thumb(page, 4).focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await thumb(page, 4).focus();
    await page.keyboard.press('r');
    t.equal(await order(page), '3 1 1 2');
    return page;
  }

  await t.test('one PDF of two scans, in the order of the person, as the pages are turned', async t => {
    const page = await ordered(t);
    const download = await saved(page);
    const pdf = await pdfIn(download);
    t.same(inksOf(pdf), [3, 1, 4, 2]);
    t.same(
      pdf.pages.map(({ upright }) => upright),
      [false, true, true, false],
    );
    const sizes = await pageSizes(await download.path());
    t.same(
      sizes.map(([width, height]) => width > height),
      [false, false, false, true],
    );

    await thumb(page, 2).click({ modifiers: ['Control'] });
    await thumb(page, 4).click({ modifiers: ['Control'] });
    const marked = await savedByMenu(page, 'Save the marked pages as PDF');
    t.same(inksOf(await pdfIn(marked)), [1, 2], 'only the marked ones');
    const images = filesIn(await readFile(await (await savedByMenu(page, 'Save the marked pages as images')).path()));
    t.same(
      images.map(({ name }) => /page-\d\d\.jpg$/.exec(name)?.[0]),
      ['page-02.jpg', 'page-04.jpg'],
    );
    t.equal((await sharp(images[1]?.bytes).metadata()).width, 825, 'the image is turned, too');
  });

  await t.test('all are printed, one a sheet, as they are turned; then the marked ones', async t => {
    const page = await ordered(t);
    await page.evaluate(`globalThis.print = () => (document.title = 'The dialog')`);
    const printed = async (button: Locator) => {
      await page.evaluate(`document.title = 'The page'`);
      await button.click();
      await until(async () => (await page.title()) === 'The dialog');
      const pdf = await page.pdf({ format: 'Letter', printBackground: true });
      await page.locator('#saving .activity').waitFor({ state: 'detached' });
      return readPdf(pdf);
    };
    await page.locator('#save-menu-summary').click();
    const all = await printed(page.locator('#print-all'));
    t.same(inksOf(all), [3, 1, 4, 2], 'four pages, four sheets');
    t.equal(all.pages[0]?.upright, false);
    t.equal(all.text.trim(), '', 'nothing of the page around them');
    await thumb(page, 1).click({ modifiers: ['Control'] });
    await thumb(page, 3).click({ modifiers: ['Control'] });
    const marked = page.locator('#stage').getByRole('button', { name: 'Print the marked pages' });
    t.same(inksOf(await printed(marked)), [3, 4]);
  });

  await t.test('file names by a pattern, which is remembered', async t => {
    const page = await open(t);
    await choose(page, 'Feeder A');
    await page.getByRole('switch', { name: 'Read barcodes' }).check();
    await scan(page, 3);
    await page.locator('#save-menu-summary').click();
    const field = page.getByLabel('File name');
    t.equal(await field.inputValue(), 'scan-{date}-{time}');
    await field.fill('{scanner}_{barcode}_{date}');
    await field.blur();
    const expected = /^Feeder A_[^_]+_\d{8}$/;
    t.match(
      await page.locator('#file-name-hint').textContent(),
      /Example: \u2068?Feeder A_[^_]+_\d{8}\u2069?\. Fields:/,
    );
    await page.keyboard.press('Escape');
    const pdf = (await saved(page)).suggestedFilename();
    t.match(pdf.replace(/\.pdf$/, ''), expected);
    const zip = await savedByMenu(page);
    t.equal(zip.suggestedFilename(), pdf.replace(/pdf$/, 'zip'));
    const names = filesIn(await readFile(await zip.path())).map(({ name }) => name);
    t.same(
      names.map(name => name.slice(-'-page-00.jpg'.length)),
      ['-page-01.jpg', '-page-02.jpg', '-page-03.jpg'],
    );
    await thumb(page, 2).click();
    t.match((await saved(page, 'Save page 2')).suggestedFilename(), /^Feeder A_.*\d{8}-page-02\.jpg$/);
    await page.reload();
    await page.locator('#scan:enabled').waitFor();
    await insert(fixture, 'a', 1);
    await scan(page, 1);
    t.match((await saved(page)).suggestedFilename(), /^Feeder A_\d{8}\.pdf$/, 'no barcode: without it');
  });

  await t.test('TIFF and BMP have thumbnails and pictures, also turned, and are saved in their format', async t => {
    const page = await open(t);
    await chooseQuick(page, 'Feeder A');
    let pages = 0;
    for (const format of ['TIFF', 'BMP'] as const) {
      await page.getByLabel('File format').selectOption(format);
      await insert(fixture, 'a', 5);
      await scan(page, ++pages);
    }
    await thumb(page, 1).click();
    await page.keyboard.press('r');
    const [tiff, bmp] = await thumbSizes(page);
    t.ok(tiff && tiff[0] > tiff[1] && tiff[1] > 0, 'TIFF, turned');
    t.ok(bmp && bmp[1] > bmp[0] && bmp[0] > 0, 'BMP');
    t.equal(await page.locator('.unshown:visible').count(), 0);
    await page.locator('#paper').click();
    await drawn(page.locator('#viewer canvas'));
    await page.keyboard.press('Escape');
    t.match((await saved(page, 'Save page 1')).suggestedFilename(), /\.tif$/);
    await thumb(page, 2).click();
    t.match((await saved(page, 'Save page 2')).suggestedFilename(), /\.bmp$/);
  });
  t.same(found.flat(), []);
});

/** Points, as a reader shows them. */
async function pageSizes(file: string): Promise<readonly (readonly [number, number])[]> {
  const { stdout } = await run('pdfinfo', ['-l', '99', file]);
  const rotations = [...stdout.matchAll(/Page +\d+ rot: +(\d+)/g)].map(([, degrees]) => Number(degrees));
  return [...stdout.matchAll(/Page +\d+ size: +([\d.]+) x ([\d.]+)/g)].map(([, width, height], at) => {
    const size = [Number(width), Number(height)] as const;
    return (rotations[at] ?? 0) % 180 === 0 ? size : [size[1], size[0]];
  });
}
