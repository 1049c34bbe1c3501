/** Page at /origins/: what it shows, to whom, and in which form. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { launch, violations } from './appPage.js';
import { answerAs, askAs, cardOf, grantOf, openOrigins, startAsking } from './originsKit.js';

const long = `https://${'a-very-long-name.'.repeat(14)}example:65535`;
const origins = {
  'https://app.example': [],
  'https://app.example.evil.example:8443': [],
  'http://plain.example:8080': ['http'],
  'https://xn--pple-43d.example': ['letters'],
  'http://localhost:5173': ['local'],
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop': ['other'],
  [long]: [],
} as const;

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`);

void t.test('page at /origins/: every form of it, with each kind of origin whole', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t, {
    folder: t.testdir({
      'origins.json': JSON.stringify({ grants: [{ origin: 'https://fixed.example', scanners: '*', may: ['scan'] }] }),
    }),
  });
  for (const origin of Object.keys(origins)) await askAs(fixture, origin, { scanners: [fixture.name('flatbed')] });
  for (const body of [
    { origin: 'https://archive.example', may: ['scan'], until: '2099-01-31T12:00:00Z' },
    { origin: 'https://no.example', may: [] },
  ])
    t.equal((await answerAs(fixture, body)).status, 200);
  const browser = await launch(t);

  for (const [locale, width, height] of [
    ['en', 1280, 900],
    ['de', 320, 640],
    ['ar', 360, 740],
  ] as const)
    await t.test(`${locale}, ${width} px: light, dark, forced colours`, async t => {
      const context = await browser.newContext({
        ...{ ignoreHTTPSErrors: true, locale, viewport: { width, height }, reducedMotion: 'reduce' },
      });
      const { page, problems } = await openOrigins(context, `${fixture.url}/origins/`);
      const shown = await page.locator('article bdi.origin').allTextContents();
      t.same(shown.sort(), Object.keys(origins).sort(), 'exactly as it is');
      t.same(
        await page
          .locator('bdi.origin')
          .evaluateAll(all =>
            all
              .map(each => each as unknown as { dir: string; scrollWidth: number; clientWidth: number })
              .filter(each => each.dir !== 'ltr' || each.scrollWidth > each.clientWidth),
          ),
        [],
        'whole, from left to right',
      );
      for (const [origin, notes] of Object.entries(origins)) {
        t.equal(await cardOf(page, origin).locator('.note').count(), notes.length, origin);
        for (const each of notes) t.ok(await cardOf(page, origin).locator(`.note.${each}`).isVisible(), origin);
      }
      t.equal(await page.locator('html').getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr');
      t.equal(await page.locator('html').getAttribute('lang'), locale);
      t.same(
        await page.locator('[data-words]').evaluateAll(all => all.filter(each => each.textContent === '')),
        [],
        'every word is there',
      );

      await grantOf(page, 'https://archive.example').getByRole('button').first().click();
      await page.locator('#changing:focus').waitFor();
      t.equal(await grantOf(page, 'https://fixed.example').getByRole('button').count(), 0);
      t.ok(await grantOf(page, 'https://fixed.example').locator('.note.fixed').isVisible());
      // All buttons work: their colours do not change any more.
      await page.locator('button[aria-disabled="true"]').first().waitFor({ state: 'detached' });
      for (const look of [
        { colorScheme: 'light', forcedColors: 'none' },
        { colorScheme: 'dark', forcedColors: 'none' },
        { colorScheme: 'light', forcedColors: 'active' },
      ] as const) {
        await page.emulateMedia(look);
        // Colours change over some frames.
        let found = await violations(page);
        for (let again = 0; found.length > 0 && again < 5; again++) found = await violations(page);
        t.same(found, [], look.forcedColors === 'active' ? 'forced colours' : look.colorScheme);
        t.ok(await fits(page), `${look.colorScheme}: no element is wider than the window`);
      }
      t.same(problems, []);
      await context.close();
    });

  await t.test('a language that the person chose stays, also for /app/', async t => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const { page } = await openOrigins(context, `${fixture.url}/origins/`);
    await page.locator('#language').selectOption('de');
    await page.getByRole('heading', { name: 'Webseiten, die scannen dürfen' }).waitFor();
    await page.getByRole('link', { name: 'Scannen' }).click();
    await page.getByRole('link', { name: 'Webseiten, die scannen dürfen' }).click();
    await page.getByRole('heading', { name: 'Webseiten, die scannen dürfen' }).waitFor();
    t.equal(await page.locator('#language').inputValue(), 'de');
    await context.close();
  });
});

void t.test('page at /origins/: questions that lapse, and a service that is away', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t);
  const link = await askAs(fixture, 'https://app.example');
  const context = await (await launch(t)).newContext({ ignoreHTTPSErrors: true });
  const { page } = await openOrigins(context, `${fixture.url}/origins/#11111111-1111-1111-1111-111111111111`);
  await page.locator('#gone').getByText('This question has lapsed: start again').waitFor();
  await page.goto(link);
  await page.locator('h3:focus').waitFor();
  t.ok(await page.locator('#gone').isHidden());

  await page.route('**/origins/state', async route => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), asked: [] } });
  });
  await page.locator('article[data-state="lapsed"]').getByText('start again').waitFor();
  t.equal(await page.locator('article button').count(), 0, 'it cannot be answered any more');
  await page.unroute('**/origins/state');

  await page.route('**/origins/state', route => route.abort());
  await page.locator('#problem').getByText('does not answer').waitFor();
  await page.unroute('**/origins/state');
  await page.locator('#problem').waitFor({ state: 'hidden' });
});

void t.test('page at /origins/: which mode is on', async t => {
  if (!needs(t, 'chromium')) return;
  const browser = await launch(t);
  for (const [origin, mode] of [
    ['open', 'Any web page may scan on this computer'],
    [['https://listed.example'], 'Only these web pages may scan'],
    ['ask', 'Web pages must ask'],
  ] as const)
    await t.test(mode, async t => {
      const fixture = await startAsking(t, { config: { security: { origins: origin } } });
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const { page, problems } = await openOrigins(context, `${fixture.url}/origins/`);
      t.equal(await page.locator('#mode-title').textContent(), mode);
      t.equal(await page.locator('#asking').isVisible(), origin === 'ask');
      const listed = grantOf(page, 'https://listed.example');
      t.equal(await listed.count(), typeof origin === 'string' ? 0 : 1);
      t.equal(await listed.getByRole('button').count(), 0);
      t.same(problems, []);
      await context.close();
    });
});

void t.test('page at /origins/: local programs need a token, and so does the page', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startAsking(t, { config: { security: { origins: 'ask', localPrograms: 'token' } } });
  const token = (await readFile(join(fixture.dataDir, 'local.token'), 'utf8')).trim();
  const context = await (await launch(t)).newContext({ ignoreHTTPSErrors: true });
  const { page } = await openOrigins(context, `${fixture.url}/origins/`);
  await page.locator('#problem').getByText('platen origins link').waitFor();
  t.ok(await page.locator('#mode').isHidden());

  await page.goto(`${fixture.url}/origins/#token=${token}`);
  await page.locator('#mode').waitFor();
  t.ok(await page.locator('#problem').isHidden());
  t.equal(page.url(), `${fixture.url}/origins/`, 'it does not stay in the address');
  t.equal(await page.evaluate(`localStorage.getItem('platen.pass:' + location.origin)`), token);

  await page.goto(`${fixture.url}/app/`);
  await page.locator('#scan:enabled').waitFor();
  t.pass('the page at /app/ works too');
});
