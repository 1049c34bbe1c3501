/**
 * Attacks that need a browser, where pages must ask: what a page does without CORS, from an origin of nobody, through
 * frames, redirects and workers. Nothing is read, no paper moves, and no grant is made; also not by an allowed page.
 */
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { allow, asOwnPage, send } from '../attacks/rawCalls.js';
import { until } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openAttackSite } from './attackSite.js';
import { PATIENCE_MS, shareChromium } from './chromium.js';

const fixture = await start(t, virtualTopology, {
  config: { security: { origins: 'ask' }, log: { level: 'debug' } },
});
const revoke = (origin: string) =>
  send(fixture, {
    method: 'POST',
    target: '/origins/revocations',
    headers: asOwnPage(fixture),
    body: JSON.stringify({ origin }),
  });

/** Status codes of all answers so far to requests for paths like this. */
const answers = (path: string, method = String.raw`\w+`): string[] =>
  [...fixture.log().matchAll(new RegExp(`(?:${method}) ${path}[^ ]* (\\d{3}) `, 'g'))].map(([, status = '']) => status);

const events = '/api/twain/autoscan/events';
const scan = '/api/twain/scan';
const answer = '/origins/answers';
const settings = ['/settings/state', '/settings/preview', '/settings/save'];

interface Attack {
  readonly path: string;
  /** Source text, because it runs in the page: `url` is the path's address, `own` the page's origin, `order` a scan. */
  readonly does: string;
  /** The browser itself may keep it from the service. */
  readonly mayStay?: true;
  /** Its page goes away, perhaps after the next attack has begun: it has a tab of its own. */
  readonly leaves?: true;
}

const make = (tag: string, facts: string): string =>
  `document.body.append(Object.assign(document.createElement('${tag}'), ${facts}))`;
/** Its document has an origin of nobody. */
const opaque = (script: string): string =>
  make(
    'iframe',
    `{ sandbox: 'allow-scripts allow-forms', srcdoc: '<script>' + ${JSON.stringify(script)}.replaceAll('URL', url).replaceAll('ORDER', order) + '</' + 'script>' }`,
  );
const form = (type: string): string => `
  const form = document.createElement('form');
  Object.assign(form, { action: url, method: 'POST', target: '_blank', enctype: '${type}' });
  form.append(Object.assign(document.createElement('input'), { name: '{"origin":"' + own + '","may":["scan"],"x":"', value: '"}' }));
  document.body.append(form);
  form.submit();`;
const json = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: order }`;

const attacks: Readonly<Record<string, Attack>> = {
  'sandboxed frame, fetch': { path: events, does: opaque(`fetch('URL')`) },
  'sandboxed frame, order': {
    path: scan,
    does: opaque(`fetch('URL', { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'ORDER' })`),
    mayStay: true,
  },
  'sandboxed frame, simple order': { path: scan, does: opaque(`fetch('URL', { method: 'POST', body: 'ORDER' })`) },
  'data: frame': {
    path: events,
    does: make('iframe', `{ src: 'data:text/html,<script>fetch("' + url + '")<' + '/script>' }`),
  },
  'order, no-cors': { path: scan, does: `void fetch(url, { method: 'POST', mode: 'no-cors', body: order })` },
  'form, text/plain': { path: scan, does: form('text/plain') },
  'form, urlencoded': { path: scan, does: form('application/x-www-form-urlencoded') },
  'form, multipart': { path: scan, does: form('multipart/form-data') },
  sendBeacon: { path: scan, does: `navigator.sendBeacon(url, order)` },
  'keepalive, no-cors': {
    path: scan,
    does: `void fetch(url, { method: 'POST', mode: 'no-cors', keepalive: true, body: order })`,
  },
  frame: { path: events, does: make('iframe', '{ src: url }') },
  'window.open': { path: events, does: `window.open(url)` },
  WebSocket: { path: events, does: `new WebSocket(url.replace('https', 'wss'))` },
  script: { path: events, does: make('script', '{ src: url }') },
  style: { path: events, does: make('link', `{ rel: 'stylesheet', href: url }`) },
  'style, import': { path: events, does: make('style', `{ textContent: '@import "' + url + '"' }`) },
  picture: { path: events, does: make('img', '{ src: url }') },
  video: { path: events, does: make('video', '{ src: url }') },
  font: {
    path: '/api/scans',
    does: `new FontFace('x', 'url(' + url + ')').load().catch(() => {})`,
    mayStay: true,
  },
  prefetch: { path: events, does: make('link', `{ rel: 'prefetch', href: url }`), mayStay: true },
  preload: { path: events, does: make('link', `{ rel: 'preload', as: 'image', href: url }`), mayStay: true },
  'speculation rules': {
    path: events,
    does: make(
      'script',
      `{ type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [url], eagerness: 'immediate' }], prerender: [{ urls: [url], eagerness: 'immediate' }] }) }`,
    ),
    mayStay: true,
  },
  ping: {
    path: '/api/twain/cancel',
    does: `Object.assign(document.createElement('a'), { href: '#x', ping: url }).click()`,
    mayStay: true,
  },
  download: {
    path: events,
    does: `Object.assign(document.createElement('a'), { href: url, download: 'x' }).click()`,
    leaves: true,
  },
  'service worker, no-cors': { path: events, does: `void fetch('/through-worker?url=' + encodeURIComponent(url))` },
  'redirect of another server, order': {
    path: scan,
    does: `void fetch(other + '/to?url=' + encodeURIComponent(url), ${json}).catch(() => {})`,
    mayStay: true,
  },
  'redirect of another server, simple': {
    path: events,
    does: `void fetch(other + '/to?url=' + encodeURIComponent(url)).catch(() => {})`,
  },
  'the own page, framed': { path: '/origins/', does: make('iframe', '{ src: url }') },
  'answer, form': { path: answer, does: form('text/plain') },
  'answer, no-cors': {
    path: answer,
    does: `void fetch(url, { method: 'POST', mode: 'no-cors', body: '{"origin":"' + own + '","may":["scan"]}' })`,
  },
  'answer, fetch': {
    path: answer,
    does: `void fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', 'x-platen-page': 'origins' }, body: '{"origin":"' + own + '","may":["settings"]}' }).catch(() => {})`,
  },
  'state, fetch': { path: '/origins/state', does: `void fetch(url).catch(() => {})` },
  'the settings, framed': { path: '/settings/', does: make('iframe', '{ src: url }') },
  'settings, form': { path: '/settings/save', does: form('text/plain') },
  'settings, no-cors': {
    path: '/settings/preview',
    does: `void fetch(url, { method: 'POST', mode: 'no-cors', body: '{"changes":[{"use":"@platen/barcode","enabled":true}]}' })`,
  },
  'settings, fetch': { path: '/settings/state', does: `void fetch(url).catch(() => {})` },
};

async function openAttack(t: Test): Promise<{ page: Page; web: string; other: string }> {
  const { origin: web, other } = await openAttackSite(t);
  // A worker's requests do not follow the context's option.
  const browser = await shareChromium(t, '--ignore-certificate-errors');
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(web);
  await page.evaluate(`navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => new Promise(done => {
    if (navigator.serviceWorker.controller) done();
    else navigator.serviceWorker.addEventListener('controllerchange', () => done());
  }))`);
  return { page, web, other };
}

const order = (): string => JSON.stringify({ scannerName: fixture.name('duplex'), parameters: {} });

async function run(page: Page, other: string, { path, does }: Attack): Promise<void> {
  const facts = { url: `${fixture.url}${path}`, other, order: order() };
  await page.evaluate(
    `{ const { url, other, order } = ${JSON.stringify(facts)}; const own = location.origin; setTimeout(() => { ${does} }, 0); undefined }`,
  );
}

for (const who of ['a page that nobody allowed', 'an allowed page'])
  t.test(`without CORS or an origin, from ${who}: refused, nothing read, no paper moves`, async t => {
    if (!needs(t, 'chromium')) return;
    const { page, web, other } = await openAttack(t);
    if (who === 'an allowed page') await allow(fixture, web, { may: ['scan', 'auto-scan'] });
    await fixture.load('duplex', sheets(1, 2));
    const grants = JSON.stringify(await grantsNow());
    const usual = await page.context().newPage();
    for (const [name, attack] of Object.entries(attacks)) {
      const before = answers(attack.path).length;
      const tab = attack.leaves ? await page.context().newPage() : usual;
      await tab.goto(web);
      await run(tab, other, attack);
      if (!attack.mayStay) await until(async () => answers(attack.path).length > before);
      t.pass(name);
    }
    // A last call that is seen shows that what was sent before it was answered.
    const reply = await page.evaluate<number>(`fetch('${fixture.url}/api/consent').then(({ status }) => status)`);
    t.equal(reply, 200);
    // A font is under CORS: what an allowed page fetches so, it may.
    const ofFont = who === 'an allowed page' ? [] : ['/api/scans'];
    for (const path of [events, scan, answer, '/origins/state', ...settings, '/api/twain/cancel', ...ofFont])
      t.same(
        answers(path, 'POST|GET').filter(status => !['403', '401'].includes(status) && !isOurs(path, status)),
        [],
        path,
      );
    t.equal(await fixture.waiting('duplex'), 2);
    t.equal(JSON.stringify(await grantsNow()), grants);
    await revoke(web);
  });

/** The test's own calls of the person. */
const isOurs = (path: string, status: string): boolean =>
  status === '200' && (path === answer || path === '/origins/state');

async function grantsNow(): Promise<unknown> {
  const { text } = await send(fixture, { method: 'GET', target: '/origins/state', headers: asOwnPage(fixture) });
  return (JSON.parse(/\{"success".*\}/s.exec(text)?.[0] ?? '{}') as { grants?: unknown }).grants;
}

t.test('the own page in a frame or a window of another: not shown, and out of reach', async t => {
  if (!needs(t, 'chromium')) return;
  const { page } = await openAttack(t);
  await page.evaluate(make('iframe', `{ src: '${fixture.url}/origins/', id: 'framed' }`));
  await until(async () => page.frames().some(frame => frame.url().startsWith('chrome-error:')));
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(`void (window.popup = window.open('${fixture.url}/origins/'))`),
  ]);
  await popup.waitForLoadState();
  await popup.locator('h1').waitFor();
  // COOP: the opener has no window left, and the page no opener.
  await until(async () => page.evaluate<boolean>('popup.closed'));
  t.equal(await popup.evaluate('window.opener'), null);
  const read = await page.evaluate<string>(
    `(() => { try { return popup.document.title } catch (error) { return error.name } })()`,
  );
  t.not(read, await popup.title());
});

t.test('a popup’s form that posts to the own page’s calls: no answer comes of it', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, web } = await openAttack(t);
  const before = answers(answer, 'POST').length;
  await page.evaluate(`{
    const popup = window.open('about:blank');
    const form = popup.document.createElement('form');
    Object.assign(form, { action: '${fixture.url}${answer}', method: 'POST', enctype: 'text/plain' });
    form.append(Object.assign(popup.document.createElement('input'), { name: '{"origin":"${web}","may":["scan"],"x":"', value: '"}' }));
    popup.document.body.append(form);
    form.submit();
  }`);
  await until(async () => answers(answer, 'POST').length > before);
  t.same(answers(answer, 'POST').slice(before), ['403']);
  t.notMatch(JSON.stringify(await grantsNow()), web);
});

t.test('cached preflight: a call right after the revocation is refused', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, web } = await openAttack(t);
  await fixture.load('duplex', sheets(1));
  await allow(fixture, web);
  const call = (): Promise<string> =>
    page.evaluate<string>(
      `fetch('${fixture.url}/api/twain', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: '{"kind":"twainlocalscanner","method":"getSources"}' })
        .then(async answer => answer.status + ' ' + (answer.headers.get('platen-error') ?? await answer.text()))`,
    );
  t.match(await call(), /^200 .*Duplex feeder/);
  const preflights = answers('/api/twain', 'OPTIONS').length;
  await revoke(web);
  const refused = await call();
  t.match(refused, /^403 .*consent-required/);
  t.notMatch(refused, /Duplex feeder/);
  t.equal(answers('/api/twain', 'OPTIONS').length, preflights, 'the preflight was cached');
  t.equal(await fixture.waiting('duplex'), 1);
});

t.test('a service worker, and a redirect of the same server: as its page, and no more', async t => {
  if (!needs(t, 'chromium')) return;
  const { page, web } = await openAttack(t);
  const url = `${fixture.url}/api/twain/scanners`;
  const redirected = (): Promise<string> =>
    page.evaluate<string>(
      `fetch('/to?url=' + encodeURIComponent('${url}')).then(async answer => answer.status + ' ' + await answer.text())`,
    );
  t.match(await redirected(), /^403 /);
  await allow(fixture, web);
  t.match(await redirected(), /^200 .*Duplex feeder/);
  await revoke(web);
  t.match(await redirected(), /^403 /);
});

t.test('the client module: any page loads it, and learns nothing', async t => {
  if (!needs(t, 'chromium')) return;
  const { page } = await openAttack(t);
  const names = await page.evaluate<string[]>(`import('${fixture.url}/client.js').then(Object.keys)`);
  t.ok(names.length > 0);
  const text = await page.evaluate<string>(
    `Promise.all(['/client.js', '/health', '/'].map(path => fetch('${fixture.url}' + path).then(answer => answer.text()))).then(String)`,
  );
  for (const role of ['duplex', 'flatbed', 'jamming'] as const) t.notOk(text.includes(fixture.name(role)));
  t.notMatch(text, fixture.dataDir);
});
