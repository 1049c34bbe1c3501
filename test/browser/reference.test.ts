/**
 * The reference page in Chromium: it shows the service's whole document, loads nothing from elsewhere, and escapes
 * markup.
 */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { problemsOf, shareChromium } from './chromium.js';

interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** One service for all of them. */
const fixture = await start(t, virtualTopology);

async function open(t: Test): Promise<{ page: Page; problems: string[] }> {
  const context = await (await shareChromium(t)).newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const problems = problemsOf(page);
  page.on(
    'request',
    request => void (request.url().startsWith(`${fixture.url}/`) || problems.push(`${request.url()} was asked for`)),
  );
  return { page, problems };
}

/** What a page has, as far as it is looked at in the browser. */
declare const document: {
  querySelectorAll(selector: string): Iterable<{ readonly id: string; readonly hash: string }>;
  getElementById(id: string): unknown;
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number };
};

const drawn = (page: Page): Promise<unknown> => page.waitForSelector('main:not([aria-busy])');

t.test('reference: every call and schema is on the page, and no link is broken', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await open(t);
  const { paths, components } = (await fixture.request('GET', '/openapi.json')).json as OpenApi;
  await page.goto(`${fixture.url}/reference`);
  await drawn(page);
  const ids = [
    ...Object.values(paths).flatMap(item => Object.values(item).map(({ operationId }) => operationId)),
    ...Object.keys(components.schemas).map(name => `shape-${name}`),
  ];
  t.ok(ids.length > 30);
  const found = await page.evaluate(() => [...document.querySelectorAll('main article')].map(({ id }) => id));
  t.same(found.sort(), ids.sort());
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('a[href^="#"]')]
      .map(link => link.hash.slice(1))
      .filter(id => !document.getElementById(id)),
  );
  t.same(broken, []);
  t.same(await page.evaluate(() => [...document.querySelectorAll('#state, .failed')].length), 0);
  t.match(await page.textContent('#readAutoscanEvents'), /image.*disabled.*error/s);
  t.match(await page.textContent('#scan pre'), `curl -k '${fixture.url}/api/twain/scan'`);
  t.same(problems, []);
});

t.test('reference: narrow or wide, light or dark, nothing is cut off', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await open(t);
  await page.goto(`${fixture.url}/reference`);
  await drawn(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      t.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
        `${colorScheme}, ${width}`,
      );
    }
  }
  t.same(problems, []);
});

t.test('reference: unknown or malformed fragment, the page as usual', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await open(t);
  for (const hash of ['#%', '#nothing', '#%E4']) {
    await page.goto('about:blank');
    await page.goto(`${fixture.url}/reference${hash}`);
    await drawn(page);
    t.same(problems, [], hash);
  }
});

t.test('reference: markup in the document, shown as text', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, problems } = await open(t);
  const { json } = await fixture.request('GET', '/openapi.json');
  const api = json as OpenApi;
  const markup = '<img src="/x" onerror="document.title=1"><script>document.title=2</script>';
  await page.route('**/openapi.json', route =>
    route.fulfill({ json: { ...api, info: { ...api.info, description: markup } } }),
  );
  await page.goto(`${fixture.url}/reference`);
  await drawn(page);
  t.match(await page.textContent('.intro'), markup);
  t.equal(await page.title(), 'Platen: reference');
  t.same(problems, []);
});

t.test('reference: the document cannot be loaded, the page says so', async t => {
  if (!needs(t, 'chromium')) return;
  const { page } = await open(t);
  await page.route('**/openapi.json', route => route.fulfill({ status: 500, body: '' }));
  await page.goto(`${fixture.url}/reference`);
  t.match(await page.textContent('.failed'), /the service answered 500/);
});

t.test('reference: headers, own sources only and no framing', async t => {
  for (const path of ['/reference', '/reference/page.js', '/reference/page.css', '/reference/icon.svg']) {
    const { status, headers } = await fixture.request('GET', path);
    t.equal(status, 200, path);
    t.match(headers, {
      'content-security-policy':
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
      'x-content-type-options': 'nosniff',
    });
    t.notMatch(headers['content-security-policy'], /unsafe|http/);
  }
  t.equal((await fixture.request('GET', '/reference/../package.json')).status, 404);
});
