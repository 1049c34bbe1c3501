/** Page at /app/: controls of a scan are shown where they do something, and sent if the user changed them. */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { choose, launch, openApp, toTry, untilIdle, untilPages, violations } from './appPage.js';
import { chooseQuick } from './appSheets.js';

const acme = new URL('../../plugins/fixtures/acme-imaging/plugin.js', import.meta.url).pathname;
const profiles = {
  Invoices: { resolution: 150, colorMode: 'Grayscale', imageFormat: 'Jpeg', driverOptions: { backing: 'black' } },
  Corner: { area: { x: 0, y: 0, width: 50, height: 40 }, resolution: 75 },
};

interface PluginEntry {
  readonly use: string;
  readonly options?: { readonly scanners?: object[] };
}

/** @param without plugins whose names end like this */
async function configText(...without: readonly string[]): Promise<string> {
  const { plugins } = JSON.parse(await toTry()) as { plugins: PluginEntry[] };
  plugins[0]?.options?.scanners?.push({ name: 'Both', feeder: true, flatbed: true, duplex: true, samples: 3 });
  const used = plugins.filter(({ use }) => !without.some(end => use.endsWith(end)));
  return JSON.stringify({ plugins: [...used, { use: acme }], profiles });
}

/** The parameters of the next scan of the page. */
async function sentBy(page: Page, act: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const [request] = await Promise.all([
    page.waitForRequest(each => each.method() === 'POST' && new URL(each.url()).pathname === '/api/scans'),
    act(),
  ]);
  return (request.postDataJSON() as { parameters: Record<string, unknown> }).parameters;
}

/** Scans, and removes the pages again. @returns what was sent, and the first page's file */
async function scan(page: Page) {
  const sent = await sentBy(page, () => page.locator('#scan:enabled').click());
  await untilPages(page, 1);
  await untilIdle(page);
  const whole = (await page.locator('.thumb img').first().getAttribute('src'))?.replace(/[?].*/, '');
  const file = await page.evaluate<number[]>(
    `fetch(${JSON.stringify(whole)}).then(r => r.arrayBuffer()).then(b => [...new Uint8Array(b)])`,
  );
  await page.getByRole('button', { name: 'Remove all' }).click();
  return { sent, image: sharp(Buffer.from(file)) };
}

const unfold = (page: Page, title: string): Promise<void> =>
  page.locator('details:not([open]) > summary').filter({ hasText: title }).dispatchEvent('click');

const shown = (page: Page, label: string): Promise<boolean> => page.getByLabel(label, { exact: true }).isVisible();

void t.test('page at /app/: controls of a scan', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await start(t, virtualTopology, { configText: await configText() });
  const browser = await launch(t);

  await t.test('only those of the scanner and its source', async t => {
    const { page, problems } = await openApp(browser, fixture);
    const source = page.getByRole('radiogroup', { name: 'Source' });
    await choose(page, 'Feeder A');
    t.equal(await source.count(), 0, 'it has one source');
    t.ok(await shown(page, 'Sheets'));
    t.equal(await page.getByRole('button', { name: 'Preview the flatbed' }).count(), 0);
    await choose(page, 'Flatbed B');
    t.equal(await source.count(), 0);
    t.notOk(await shown(page, 'Sheets'), 'a flatbed has one sheet');
    t.ok(await page.getByRole('button', { name: 'Preview the flatbed' }).isVisible());
    await choose(page, 'Both');
    t.ok(await source.isVisible());
    t.ok(await shown(page, 'Sheets'));
    t.ok(await shown(page, 'Sides'));
    await page.getByRole('radio', { name: 'Flatbed', exact: true }).check();
    t.notOk(await shown(page, 'Sheets'));
    t.notOk(await shown(page, 'Sides'));
    t.ok(await page.getByRole('button', { name: 'Auto-scan', exact: true }).isDisabled());
    await unfold(page, 'Brightness and contrast');
    t.ok(await shown(page, 'Brightness'), 'software does it');
    t.notOk(await shown(page, 'Threshold'));
    await page.getByRole('radio', { name: 'B/W' }).check();
    t.ok(await shown(page, 'Threshold'), 'for black and white');
    for (const title of ['Area', 'Options of this scanner']) await unfold(page, title);
    t.same(await violations(page), []);
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('untouched controls are not sent; those that were changed are, and do what they say', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await chooseQuick(page, 'Both');
    const controls = ['source', 'sheets', 'area', 'brightness', 'contrast', 'threshold', 'driverOptions', 'readers'];
    const untouched = await scan(page);
    t.same(
      controls.filter(name => name in untouched.sent),
      [],
    );

    await page.getByRole('radio', { name: 'Feeder', exact: true }).check();
    await page.getByLabel('Sheets').fill('1');
    await unfold(page, 'Area');
    await page.getByLabel('Width, mm').fill('254');
    await page.getByLabel('Width, mm').blur();
    t.equal(await page.getByLabel('Width, mm').inputValue(), '215.9', 'the widest that the scanner has');
    for (const [label, mm] of [
      ['From the left, mm', '25.4'],
      ['From the top, mm', '12.7'],
      ['Width, mm', '50.8'],
      ['Height, mm', '101.6'],
    ] as const) {
      await page.getByLabel(label).fill(mm);
      await page.getByLabel(label).blur();
    }
    await unfold(page, 'Brightness and contrast');
    await page.getByLabel('Brightness').fill('40');
    await unfold(page, 'Options of this scanner');
    await page.getByLabel('Background').selectOption('black');
    const { sent, image } = await scan(page);
    t.match(sent, {
      source: 'Feeder',
      sheets: 1,
      area: { x: 25.4, y: 12.7, width: 50.8, height: 101.6 },
      brightness: 40,
      contrast: undefined,
      driverOptions: { backing: 'black' },
    });
    t.notOk('threshold' in sent);
    t.same(sent['driverOptions'], { backing: 'black' }, 'not the other options');
    const { width, height } = await image.metadata();
    t.same({ width, height }, { width: 150, height: 300 }, '2 by 4 inches at 75 dpi');

    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('#scan:enabled').waitFor();
    t.equal(await page.getByLabel('Sheets').inputValue(), '1', 'the same scanner keeps them');
    await page.getByLabel('Page size').selectOption('A5');
    await choose(page, 'Feeder A');
    await choose(page, 'Both');
    t.equal(await page.getByLabel('Sheets').inputValue(), '', 'another scanner does not');
    const again = await scan(page);
    t.match(again.sent, { pageSize: 'A5', area: undefined });
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('a profile: its values are shown; what the user changed is sent with it', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await choose(page, 'Both');
    await page.getByLabel('Profile').selectOption('Invoices');
    t.equal(await page.getByLabel('Resolution').locator('option:checked').textContent(), '150 dpi');
    t.ok(await page.getByRole('radio', { name: 'Grey' }).isChecked());
    t.notOk(await page.getByRole('switch', { name: 'Read text' }).isChecked(), 'as the service does without');
    const { sent, image } = await scan(page);
    t.same(sent, { profile: 'Invoices', report: true });
    t.match(await image.metadata(), { format: 'jpeg', density: 150 });

    await page.getByLabel('Resolution').selectOption({ label: '75 dpi' });
    await unfold(page, 'Options of this scanner');
    await page.getByLabel('Background').selectOption('white');
    t.same((await scan(page)).sent, {
      profile: 'Invoices',
      resolution: 75,
      driverOptions: { backing: 'white' },
      report: true,
    });

    await page.getByLabel('Profile').selectOption('Corner');
    t.equal(await page.getByLabel('Width, mm').inputValue(), '50');
    const corner = await scan(page);
    t.same(corner.sent, { profile: 'Corner', report: true });
    t.match(await corner.image.metadata(), { width: 148, height: 118 });
    await page.getByRole('button', { name: 'Whole page' }).click();
    t.match((await scan(page)).sent, { profile: 'Corner', pageSize: 'Letter' }, 'instead of the area of the profile');

    await page.reload();
    await page.locator('#scan:enabled').waitFor();
    t.equal(
      await page.getByLabel('Profile').inputValue(),
      await page.getByLabel('Profile').locator('option', { hasText: 'Corner' }).getAttribute('value'),
    );
    await page.getByLabel('Profile').selectOption('None');
    t.ok(await page.getByRole('switch', { name: 'Read text' }).isChecked(), 'the values of the page again');
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('options of the driver that its vendor counts as advanced: folded apart', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await page.route('**/capabilities?details=true', async route => {
      const response = await route.fetch();
      const text = (await response.text()).replace('"name":"dropout"', '"name":"dropout","advanced":true');
      await route.fulfill({ response, body: text });
    });
    await choose(page, 'Feeder C');
    await unfold(page, 'Options of this scanner');
    t.ok(await shown(page, 'Background'));
    t.notOk(await shown(page, 'Dropout colour'));
    await unfold(page, 'For experts');
    t.ok(await shown(page, 'Dropout colour'));
    t.same(problems, []);
    await page.context().close();
  });

  await t.test('several readers of a kind: the first, or the one that is chosen', async t => {
    const { page } = await openApp(browser, fixture);
    await page.route('**/capabilities?details=true', async route => {
      const response = await route.fetch();
      const text = (await response.text()).replace('"recognisers":[', '$&{"kind":"barcode","name":"@acme/first"},');
      await route.fulfill({ response, body: text });
    });
    await choose(page, 'Feeder C');
    t.equal(await page.getByLabel('Barcode reader').inputValue(), '@acme/first');
    await page.getByLabel('Barcode reader').selectOption('@platen/barcode');
    const sent = await sentBy(page, () => page.locator('#scan:enabled').click());
    t.same(sent['readers'], { barcode: '@platen/barcode' });
    await page.locator('#activity .activity').waitFor({ state: 'detached' });
    await page.context().close();
  });

  await t.test('a plugin: its format, and the options of its recogniser and processor', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await chooseQuick(page, 'Feeder A');
    await page.getByLabel('File format').selectOption('WEBP');
    t.notOk(await page.getByLabel('darkness').isVisible());
    await page.getByRole('switch', { name: 'stamp' }).check();
    t.ok(await page.getByLabel('darkness').isVisible());
    await page.getByLabel('unit').selectOption('px');
    await page.getByRole('switch', { name: 'despeckle' }).check();
    await page.getByLabel('radius').fill('9');
    await page.getByLabel('radius').blur();
    t.equal(await page.getByLabel('radius').inputValue(), '5', 'the schema’s maximum');
    const { sent, image } = await scan(page);
    t.match(sent, { imageFormat: 'Webp' });
    t.same(sent['recognise'], { stamp: { unit: 'px' } }, 'defaults are the plugin’s');
    t.same(sent['process'], { despeckle: { radius: 5 } });
    t.match(await image.metadata(), { format: 'webp' });
    t.same(problems, []);
    await page.context().close();
  });
});

void t.test('page at /app/: a control that nobody does is not shown', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await start(t, virtualTopology, { configText: await configText('adjust') });
  const { page, problems } = await openApp(await launch(t), fixture);
  await choose(page, 'Feeder A');
  await page.getByRole('radio', { name: 'B/W' }).check();
  for (const label of ['Brightness', 'Contrast', 'Threshold'])
    t.equal(await page.getByLabel(label, { exact: true }).count(), 0, label);
  t.ok(await shown(page, 'Sheets'));
  t.same(problems, []);
});
