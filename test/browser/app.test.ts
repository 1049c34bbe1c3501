import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { drawSide } from '../topology/sheets.js';
import { insertFile } from '../topology/virtualTopology.js';
import { filesIn } from './archive.js';
import {
  choose,
  decoded,
  drawn,
  drop,
  fromSaveMenu,
  launch,
  ofFocused,
  openApp,
  sample,
  startToTry,
  textIn,
  untilIdle,
  untilPages,
  warns,
} from './appPage.js';

/** Sheets for a scan that is cancelled: half a minute of paper. */
const MANY = 100;

void t.test('page at /app/: served by npm start', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startToTry(t);
  const browser = await launch(t);

  await t.test('a scan of three sample documents: progress, pages, barcodes, text, full size, saving', async t => {
    const { page, problems } = await openApp(browser, fixture);
    t.same(
      await page
        .getByRole('radiogroup', { name: 'Scanner' })
        .getByRole('radio')
        .evaluateAll(all => all.slice(0, 3).map(each => each.getAttribute('value'))),
      ['Feeder A', 'Flatbed B', 'Feeder C'],
    );
    t.same(await page.getByLabel('Resolution').locator('option').allTextContents(), [
      '75 dpi',
      '100 dpi',
      '150 dpi',
      '200 dpi',
      '300 dpi',
      '600 dpi',
    ]);
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.getByRole('progressbar', { name: 'Scanning' }).waitFor();
    await untilPages(page, 3);
    await untilIdle(page);
    t.match(await textIn(page.locator('#notes')), /^3 pages scanned in \d+\.\d s/);
    t.match(await textIn(page.locator('.read')), /Northfield Instruments/, "the letter's text");
    t.equal(await page.locator('.report').count(), 0, 'every setting was followed');

    t.equal(
      await page
        .locator('.thumb')
        .evaluateAll(all => all.filter(each => (each as { tabIndex?: number }).tabIndex === 0).length),
      1,
    );
    await page.getByRole('button', { name: 'Page 1', exact: true }).press('End');
    await page.getByRole('button', { name: 'Open page 3 in full size' }).waitFor();
    await page.getByRole('button', { name: 'Page 3, 13 barcodes' }).click();
    const codes = page.locator('.code');
    t.equal(await codes.count(), 13);
    t.match(await textIn(codes), /DN-2026-00917 Code 128 · \d+% sure/);
    await t.resolves(drawn(page.locator('.stage canvas')), 'the browser can decode the picture');

    const paper = page.getByRole('button', { name: 'Open page 3 in full size' });
    await paper.press('Enter');
    const viewer = page.getByRole('dialog');
    await viewer.getByText('Page 3 of 3').waitFor();
    for (let n = 0; n < 14; n++) {
      await page.keyboard.press('Tab');
      // Between the last and the first element, the focus passes through the browser's own toolbar.
      t.ok(
        await ofFocused(page, `.closest('dialog, body') !== null || document.activeElement === document.body`),
        'the focus stays in the dialog',
      );
    }
    const level = async (): Promise<number> =>
      parseInt((await viewer.locator('.viewer-level').textContent()) ?? '', 10);
    const fitted = await level();
    await viewer.locator('.ground').focus();
    await page.keyboard.press('+');
    t.ok((await level()) > fitted);
    await page.keyboard.press('1');
    t.equal(await level(), 100);
    await page.keyboard.press('PageUp');
    await viewer.getByText('Page 2 of 3').waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
    t.equal(await textIn(page.locator('#stage-title')), 'Page 2', 'the page shown last is selected');

    const [one] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save page 2' }).click(),
    ]);
    t.match(one.suggestedFilename(), /^scan-\d{8}-\d{4}-page-02\.jpg$/);
    t.same([...(await readFile(await one.path())).subarray(0, 3)], [0xff, 0xd8, 0xff], 'a JPEG');
    t.equal(await warns(page), false, 'the service keeps the pages');
    const [all] = await Promise.all([page.waitForEvent('download'), fromSaveMenu(page, 'Save all images')]);
    t.match(all.suggestedFilename(), /\.zip$/);
    t.same(
      filesIn(await readFile(await all.path())).map(({ name }) => name),
      [1, 2, 3].map(n => one.suggestedFilename().replace('02.jpg', `0${n}.jpg`)),
    );

    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('heading', { name: 'No pages yet' }).waitFor();
    await page.locator('#notes').getByRole('button', { name: 'Undo' }).click();
    await untilPages(page, 3);
    t.equal(await ofFocused(page, '.id'), 'pages', 'closing the message keeps the focus on the page');
    t.same(problems, []);
    await page.close();
  });

  await t.test('auto-scan: an image dropped onto the page, a page; then off', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await choose(page, 'Feeder A');
    await page.getByRole('switch', { name: 'Read text' }).uncheck();
    await page.route('**/autoscan/enable', async route => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: {
          ...((await response.json()) as object),
          notes: [{ code: 'paper-unknown', text: 'It does not report paper.' }],
        },
      });
    });
    await page.getByRole('button', { name: 'Auto-scan', exact: true }).click();
    await page.locator('#notes').getByText('It does not report paper.').waitFor();
    await drop(page, 'labels.png');
    await untilPages(page, 1);
    await page.locator('.code').nth(12).waitFor();
    await page.getByText('1 page scanned since it was turned on').waitFor();

    await page.getByRole('button', { name: 'Page 1, 13 barcodes' }).focus();
    await drop(page, 'letter.png');
    await untilPages(page, 2);
    t.equal(await ofFocused(page, `.getAttribute('aria-label')`), 'Page 1, 13 barcodes', 'the focus stays');
    await page.getByRole('button', { name: 'Open page 2 in full size' }).click();
    const viewer = page.getByRole('dialog');
    await viewer.getByText('Page 2 of 2').waitFor();
    await drop(page, 'invoice.png');
    await viewer.getByText('Page 2 of 3').waitFor();
    await viewer.getByRole('button', { name: 'Next page' }).click();
    await viewer.getByText('Page 3 of 3').waitFor();
    await viewer.getByRole('button', { name: 'Previous page' }).click();
    await page.keyboard.press('Escape');
    t.equal(await textIn(page.locator('#stage-title')), 'Page 2');
    await page.getByRole('button', { name: 'Stop auto-scan' }).click();
    await page.locator('#notes').getByText('Auto-scan is off').waitFor();
    t.equal((await fixture.request('GET', '/api/twain/autoscan/events')).status, 409, 'the service agrees');
    t.same(problems, []);
    await page.close();
  });

  await t.test('cancel: the sheet in the scanner comes out, and the next scan works', async t => {
    const { page, problems } = await openApp(browser, fixture);
    for (const name of ['Read text', 'Read barcodes']) await page.getByRole('switch', { name }).uncheck();
    await choose(page, 'Feeder A');
    await page.getByLabel('Resolution').selectOption({ label: '75 dpi' });
    const tray = join(fixture.dataDir, 'trays', 'a');
    const sheet = await drawSide(1);
    for (let n = 0; n < MANY; n++) await insertFile(tray, `cancel-${n}.png`, sheet);
    const sheetsIn = async (folder: string): Promise<number> =>
      (await readdir(folder)).filter(name => name.startsWith('cancel-')).length;
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await untilPages(page, 1);
    // At once: the scan may end before the next call.
    const said = await page.locator('.activity button').evaluate(async button => {
      const { click, parentElement } = button as unknown as { click(): void; parentElement: { textContent: string } };
      click.call(button);
      // It is drawn anew.
      await new Promise(resolve => setTimeout(resolve));
      return parentElement.textContent;
    });
    t.match(said, /The sheet in the scanner still comes out/);
    await page.locator('#notes').getByText('The scan was cancelled').waitFor();
    const finished = await page.locator('.thumb').count();
    t.equal(finished, await sheetsIn(join(tray, 'scanned')), 'every sheet that came out is a page');
    t.equal(finished + (await sheetsIn(tray)), MANY);
    for (const name of await readdir(tray)) if (name.startsWith('cancel-')) await rm(join(tray, name));
    await page.locator('#scan:enabled').click();
    await untilPages(page, finished + 3);
    await untilIdle(page);
    t.equal(await page.locator('#facts').count(), 0, 'nothing was read: no place for it');
    t.same(problems, []);
    await page.close();
  });

  await t.test('a jam: a message, the page before it is kept, the next scan works', async t => {
    const { page, problems } = await openApp(browser, fixture);
    for (const name of ['Read text', 'Read barcodes']) await page.getByRole('switch', { name }).uncheck();
    await choose(page, 'Feeder C');
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Page 2 jammed').waitFor();
    t.match(await textIn(alert), /page before that .*remove the sheet/);
    t.notMatch(await textIn(alert), /Sheet 2/, 'one number, the page’s');
    t.equal(await page.locator('.thumb').count(), 1);

    await drop(page, 'letter.png');
    await page.locator('#tray-said').getByText('1 image in the tray of Feeder C.').waitFor();
    t.ok(await alert.getByRole('button', { name: 'Continue' }).isVisible(), 'the alert and its button stay');
    await page.locator('#scan:enabled').click();
    await untilPages(page, 2);
    await untilIdle(page);
    t.equal(await textIn(page.locator('#alerts')), '', 'the end of the next scan removes the message');
    t.same(problems, []);
    await page.close();
  });

  await t.test(
    'TIFF has a preview; a file that is not an image is rejected; a scanner without a feeder has no tray',
    async t => {
      const { page, problems } = await openApp(browser, fixture);
      for (const name of ['Read text', 'Read barcodes']) await page.getByRole('switch', { name }).uncheck();
      await page.getByLabel('Sides').selectOption({ label: 'Both, turned like a book' });
      await page.getByText('More', { exact: true }).click();
      await page.getByLabel('JPEG quality').fill('0');
      await page.getByLabel('JPEG quality').blur();
      t.equal(await page.getByLabel('JPEG quality').inputValue(), '1', 'the field shows the value that is sent');
      await choose(page, 'Flatbed B');
      t.ok(await page.getByRole('button', { name: 'Auto-scan', exact: true }).isDisabled());
      t.match(await textIn(page.locator('#actions-hint')), /needs a scanner with a feeder/);
      t.ok(await page.locator('#tray').isHidden(), 'only a scanner that takes insertions has a tray');
      await page.getByLabel('File format').selectOption({ label: 'TIFF' });
      await page.getByText('Browsers cannot open the saved files').waitFor();
      await page.locator('#scan:enabled').click();
      await untilPages(page, 1);
      await drawn(page.locator('.stage canvas'));
      await decoded(page.locator('.thumb img'));
      await page.getByRole('button', { name: 'Open page 1 in full size' }).click();
      await drawn(page.locator('.ground canvas'));
      await page.getByRole('dialog').getByRole('button', { name: '100%' }).click();
      await decoded(page.locator('.ground img'));
      await page.keyboard.press('Escape');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save page 1' }).click(),
      ]);
      t.match(file.suggestedFilename(), /\.tif$/);

      await choose(page, 'Feeder A');
      t.equal(
        await page.getByLabel('Sides').inputValue(),
        'DuplexLongEdge',
        'a value that one scanner lacks applies to the next one',
      );
      t.equal(await page.getByLabel('File format').inputValue(), 'Tiff');
      const [png, jpg] = [await readFile(sample('letter.png')), Buffer.alloc(0)];
      await page.locator('#tray-files').setInputFiles([
        { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
        { name: 'cut.png', mimeType: 'image/png', buffer: png.subarray(0, 2000) },
        { name: 'none.jpg', mimeType: 'image/jpeg', buffer: jpg },
        { name: 'letter.png', mimeType: 'image/png', buffer: png },
      ]);
      await page.locator('#tray-said').getByText('1 image in the tray of Feeder A.').waitFor();
      t.match(
        await textIn(page.locator('#tray-said')),
        /“letter.pdf” was not inserted: it is not .*“cut.png” was not inserted: .*“none.jpg” was not inserted: it is empty\. 1 image/,
      );
      t.match(problems.splice(0), [/status of 400/], 'the browser logs only the rejected image');
      t.same(problems, []);
      await page.close();
    },
  );
});
