/** Page at /app/: what the driver tells of the chosen scanner, and licences that end soon, in every language. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { platen } from '../topology/platen.js';
import { choose, launch, ofFocused, openApp, textIn, toTry, violations } from './appPage.js';
import { begin } from './appStack.js';

const virtual = import.meta.resolve('@platen/driver-virtual');

/** The virtual driver, which tells what is asked of it. */
const telling = `
import virtual from ${JSON.stringify(virtual)};
export default { ...virtual, name: '@acme/desk', async setup(context) {
  const health = () => ({ state: 'warning', sentence: 'The rollers of Feeder A are worn. Order the kit AC-200.', facts: [
    { name: 'firmware', value: '4.1 <b>', device: 'Feeder A', title: 'Firmware' },
    { name: 'roller_pages_total', value: 201500, device: 'Feeder A', metric: 'counter', title: 'Pages since new rollers' },
  ] });
  return { ...(await virtual.setup(context)), health };
} };`;

const premium = (publicKey: string): string =>
  `export default { name: '@acme/meter', api: 1, premium: { publicKey: ${JSON.stringify(publicKey)} }, setup: () => ({ follow() {} }) };`;

const DAY_MS = 86_400_000;

/** Its licence ends in ten days. @returns the last day */
async function folderWith(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-about-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const env = { PLATEN_DATA_DIR: join(folder, 'vendor') };
  const key = join(folder, 'vendor.key');
  const { out } = await platen(['licence', 'keys', '--out', key], { env }).ended;
  await mkdir(join(folder, 'licences'), { mode: 0o755 });
  const until = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);
  const claims = ['--plugin', '@acme/meter', '--customer', 'Acme Clinic', '--until', until];
  const file = join(folder, 'licences', 'acme.licence');
  t.equal((await platen(['licence', 'sign', '--key', key, ...claims, '--out', file], { env }).ended).code, 0);
  await writeFile(join(folder, 'meter.mjs'), premium(/`([^`]+)`/.exec(out)?.[1] ?? ''), { mode: 0o600 });
  await writeFile(join(folder, 'desk.mjs'), telling, { mode: 0o600 });
  const config = JSON.parse(await toTry()) as { plugins: { use: string }[] };
  const [scanners, ...others] = config.plugins;
  const plugins = [{ ...scanners, use: './desk.mjs' }, ...others, { use: './meter.mjs' }];
  return { folder, until, configText: JSON.stringify({ ...config, plugins }) };
}

void t.test('page at /app/: about this scanner, and a licence that ends', async t => {
  if (!needs(t, 'chromium')) return;
  const { until, ...options } = await folderWith(t);
  const fixture = await begin(t, options);
  const browser = await launch(t);

  await t.test('the facts of the chosen scanner, once the person opens them', async t => {
    const { page, problems } = await openApp(browser, fixture);
    await choose(page, 'Feeder A');
    const about = page.locator('#about');
    const asked: string[] = [];
    page.on('request', request => void (request.url().includes('/app/about') && asked.push(request.url())));
    t.equal(await textIn(about.locator('summary')), 'About this scanner');
    t.equal(await about.locator('dl').isVisible(), false);
    await about.locator('summary').focus();
    await page.keyboard.press('Enter');
    await about.getByText('201,500').waitFor();
    t.match(await textIn(about.locator('dl')), /State ?Needs attention ?The rollers of Feeder A are worn\./);
    t.match(await textIn(about.locator('dl')), /Firmware ?4\.1 <b>/, 'as text');
    t.equal(asked.length, 1);
    t.same(await violations(page), []);
    await page.keyboard.press('Escape');
    t.equal(await about.locator('dl').isVisible(), false);
    t.equal(await ofFocused(page, '.parentElement.id'), 'about', 'the focus stays');
    await choose(page, 'Flatbed B');
    await about.locator('summary').click();
    await about.getByText('Its driver tells nothing else of it.').waitFor();
    t.equal(await about.getByText('201,500').count(), 0);
    await page.getByRole('radio', { name: 'Flatbed B' }).focus();
    await page.keyboard.press('ArrowUp');
    await about.getByText('201,500').waitFor();
    t.equal(asked.length, 3, 'also for a scanner that is chosen while it is open');
    await page.locator('main').click({ position: { x: 5, y: 5 } });
    t.equal(await about.locator('dl').isVisible(), false, 'a click elsewhere closes it');
    t.same(problems, []);
    await page.close();
  });

  await t.test('the licence, with its last day', async t => {
    const { page } = await openApp(browser, fixture);
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(until));
    const line = page.locator('#licences p');
    await line.waitFor();
    t.equal(
      (await textIn(line)).replaceAll(/[\u2068\u2069]/g, ''),
      `The license of ./meter.mjs ends on ${day}. Tell your administrator.`,
    );
    t.equal(await line.count(), 1);
    await page.close();
  });

  for (const [locale, title, width, colorScheme] of [
    ['de', 'Über diesen Scanner', 1280, 'dark'],
    ['ar', 'حول هذا الماسح الضوئي', 320, 'light'],
  ] as const)
    await t.test(`${locale}, ${width} px, ${colorScheme}: in its language, within the window, accessible`, async t => {
      const { page } = await openApp(browser, fixture, { locale, colorScheme, viewport: { width, height: 800 } });
      await page.locator('#licences p').waitFor();
      await page.locator('summary', { hasText: title }).click();
      await page.locator('#about-facts div').first().waitFor();
      t.ok(
        await page.evaluate(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`),
        'fits into the window',
      );
      t.same(await violations(page), []);
      await page.close();
    });

  await t.test('the language changes, the service is lost', async t => {
    const { page } = await openApp(browser, fixture);
    await page.locator('#language').selectOption('fr');
    await page.locator('summary', { hasText: 'À propos de ce scanner' }).waitFor();
    await page.route('**/app/about*', route => route.abort('connectionrefused'));
    await page.locator('#about summary').click();
    await page.getByText('Le service ne répond pas.', { exact: true }).waitFor();
    t.equal(await page.locator('#about-facts div').count(), 0);
    await page.close();
  });
});
