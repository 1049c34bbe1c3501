/** Page at /settings/: what a hostile web page, and the service's own page at /app/, try with it. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { until } from '../spec/calls.js';
import { runSettings } from '../topology/settingsCommand.js';
import { PATIENCE_MS } from './chromium.js';
import { openPage } from './foreignPage.js';
import { callFrom, foreignHtml } from './originsKit.js';
import { DESK, openSettings, startSettings } from './settingsKit.js';

const changes = [{ use: DESK, enabled: false }];
const calls = [
  ['/settings/state', undefined],
  [`/settings/found?use=${encodeURIComponent(DESK)}`, undefined],
  ['/settings/preview', { changes }],
  ['/settings/save', { changes, digest: '' }],
  ['/settings/work', {}],
] as const;

t.test('page at /settings/: a web page cannot frame it, nor make its calls, with the key neither', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startSettings(t);
  const address = await runSettings(t, fixture);
  const key = new URL(address).hash.slice('#key='.length);
  const { page } = await openPage(t, { html: foreignHtml(fixture) });
  for (const [path, body] of calls) {
    const plain = path === '/settings/work' ? 401 : 403;
    t.match(await callFrom(page, path, body), { http: plain }, path);
    // The preflight does not allow the headers.
    const answer = callFrom(page, path, body, { 'x-platen-page': '1', 'x-platen-settings': key }).then(
      ({ http }) => http,
      () => 'blocked',
    );
    t.ok([plain, 'blocked'].includes(await answer), `${path} with the headers of the page`);
  }
  await page.evaluate(`fetch('${fixture.url}/settings/save',
    { method: 'POST', mode: 'no-cors', credentials: 'include', body: '${JSON.stringify({ changes, digest: '' })}' }).catch(() => 0)`);

  await page.evaluate(`new Promise(resolve => {
    const frame = document.createElement('iframe');
    frame.onload = resolve;
    frame.src = '${fixture.url}/settings/#key=${key}';
    document.body.append(frame);
  })`);
  const [frame] = page.frames().filter(each => each !== page.mainFrame());
  // Its address follows a moment after its load.
  await until(async () => frame?.url() !== '');
  t.match(frame?.url(), /^chrome-error:/);

  // A window that it opens is another page: it can neither read nor steer it.
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(`void (globalThis.opened = open('${address}'))`),
  ]);
  popup.setDefaultTimeout(PATIENCE_MS);
  await popup.locator(`[data-plugin="${DESK}"]`).waitFor();
  t.equal(await page.evaluate('opened.closed'), true, 'it lost its hold of the window');
  t.equal(await popup.evaluate('opener'), null);
  t.equal(await fixture.written(), undefined);
});

t.test('page at /settings/: the key stays in its tab, and the page at /app/ has none', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startSettings(t);
  const { page } = await openSettings(t, await runSettings(t, fixture));
  const key = (await page.evaluate(`sessionStorage.getItem('platen.settings')`)) as string;
  t.match(key, /^[\w-]{43}$/);
  t.notMatch(await page.evaluate('JSON.stringify(localStorage) + document.cookie'), key);
  const other = await page.context().newPage();
  await other.goto(`${fixture.url}/app/`);
  for (const [path, body] of calls) {
    const request = JSON.stringify({
      method: body ? 'POST' : 'GET',
      headers: { 'x-platen-page': '1', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await other.evaluate(
      `fetch('${path}', ${request}).then(async answer => ({ status: answer.status, text: await answer.text() }))`,
    );
    t.match(answer, { status: 401, text: /token-required|platen settings/ }, path);
  }
  t.equal(await fixture.written(), undefined);
});
