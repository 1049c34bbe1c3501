/** Page at /app/: plugins are switched off and on while it is open, and its controls follow. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { launch, openApp } from './appPage.js';
import { begin, scan, thumbs } from './appStack.js';
import { chooseQuick } from './appSheets.js';

const OFF = ['barcode', 'ocr', 'document-pdf'];
const SWITCHED_OFF = 'Switched off by the administrator.';

/** The folder of a configuration, into which a test drops one more file. */
async function configFolder(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-config-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'conf.d'), { mode: 0o700 });
  const file = join(folder, 'conf.d', '50-off.json');
  return {
    folder,
    /** Whole at once, as a package manager does it. */
    async switchOff(names: readonly string[]): Promise<void> {
      const plugins = names.map(name => ({ use: `@platen/${name}`, enabled: false }));
      await writeFile(`${file}.new`, JSON.stringify({ plugins }), { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
    switchOn: () => rm(file),
  };
}

t.test('plugins: switched off and on again, the controls follow; the document and what was chosen stay', async t => {
  if (!needs(t, 'chromium')) return;
  const { folder, switchOff, switchOn } = await configFolder(t);
  const fixture = await begin(t, { folder });
  const { page, problems } = await openApp(await launch(t), fixture);
  await chooseQuick(page, 'Feeder A');
  await page.getByRole('switch', { name: 'Read text' }).check();
  await scan(page, 3);
  const before = await page.locator('.thumb img').first().getAttribute('src');
  const text = page.locator('#control-ocrEnabled');
  const barcodes = page.locator('#control-barcodeReadingEnabled');
  const resolution = page.getByLabel('Resolution');
  await page.locator('#save-pdf').waitFor();

  await t.test('off: with the reason, and without Save as PDF', async t => {
    await switchOff(OFF);
    await page.locator('#control-ocrEnabled:disabled').waitFor();
    await page.locator('#control-barcodeReadingEnabled:disabled').waitFor();
    await page.locator('#save-pdf').waitFor({ state: 'detached' });
    await page.locator('#save-all').waitFor();
    for (const control of [text, barcodes]) t.equal(await control.isChecked(), false);
    t.equal(await page.locator('#control-ocrEnabled-hint').textContent(), SWITCHED_OFF);
    t.equal(await page.locator('#control-barcodeReadingEnabled-hint').textContent(), SWITCHED_OFF);
    t.equal(await resolution.inputValue(), '75', 'what was chosen stays');
    t.equal(await thumbs(page), 3, 'so do the pages');
  });

  await t.test('on: as it was', async t => {
    await switchOn();
    await page.locator('#control-ocrEnabled:enabled').waitFor();
    await page.locator('#control-barcodeReadingEnabled:enabled').waitFor();
    await page.locator('#save-pdf').waitFor();
    t.equal(await text.isChecked(), true, 'as the person had set it');
    t.equal(await barcodes.isChecked(), false);
    t.equal(await page.locator('#control-ocrEnabled-hint').count(), 0);
    t.equal(await resolution.inputValue(), '75');
    t.equal(await thumbs(page), 3);
    t.equal(await page.locator('.thumb img').first().getAttribute('src'), before, 'the page was not reloaded');
  });

  t.same(problems, []);
});
