/** Consent over every route: what a page gets before, after and without a yes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeDriver } from '@platen/conformance';
import t, { type Test } from 'tap';
import { A, B, codeOf } from './scans/scans.test.kit.js';
import { testService, type ServiceOptions } from '../../service.test.kit.js';

const host = 'localhost:53052';
const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'x-platen-page': 'origins' };

interface Wanted {
  readonly id: string;
  readonly origin: string;
  readonly may: readonly string[];
  readonly scanners: unknown;
}
interface State {
  readonly mode: string;
  readonly asked: readonly Wanted[];
  readonly grants: readonly (Wanted & { readonly by: string })[];
}

async function asking(t: Test, security: object = { origins: 'ask' }, options: ServiceOptions = {}) {
  const driver = fakeDriver({ devices: [{ name: 'A', flatbed: false }, { name: 'B' }], sheets: 3 });
  const made = await testService(t, driver, { config: { security }, ...options });
  const { app, dataDir } = made;
  const page = (method: 'GET' | 'POST', url: string, payload?: object, origin = A, headers: object = {}) =>
    app.inject({ method, url, headers: { host, origin, ...headers }, ...(payload ? { payload } : {}) });
  const act = (what: 'answers' | 'revocations', payload: object) =>
    app.inject({ method: 'POST', url: `/origins/${what}`, headers: own, payload });
  return {
    ...made,
    driver,
    page,
    act,
    yes: (more: object = {}) => act('answers', { origin: A, may: ['scan', 'auto-scan'], ...more }),
    state: async () =>
      (await app.inject({ url: '/origins/state', headers: { ...own, 'x-platen-page': '' } })).json<State>(),
    audit: async () =>
      (await readFile(join(dataDir, 'audit.log'), 'utf8').catch(() => ''))
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as { event: string; origin: string; scanner?: string }),
  };
}

const scan = (scannerName = 'A', parameters: object = {}) => ({ scannerName, parameters });

t.test('ask: every call of an unknown page is refused before any scanner is asked', async t => {
  const { app, driver, page, state, audit } = await asking(t);
  const calls: readonly (readonly ['GET' | 'POST', string, object?])[] = [
    ['GET', '/api/twain/scanners'],
    ['GET', '/api/twain/status'],
    ['GET', '/api/twain/version'],
    ['GET', '/api/twain/scanners/A/capabilities'],
    ['POST', '/api/twain/scan', scan()],
    ['POST', '/api/twain/cancel', {}],
    ['POST', '/api/twain/autoscan/enable', scan()],
    ['POST', '/api/twain/autoscan/disable'],
    ['GET', '/api/twain/autoscan/events'],
    ['POST', '/api/twain', { kind: 'twainlocalscanner', method: 'getSources', params: null }],
    ['POST', '/api/scans', scan()],
    ['GET', '/api/scans'],
    ['GET', '/api/scans/1/pages/1'],
    ['POST', '/api/documents', {}],
    ['GET', '/api/profiles'],
    ['GET', '/api/features'],
    ['GET', '/api/features/events'],
    ['GET', '/api/separator'],
    ['GET', '/openapi.json'],
    ['GET', '/nothing'],
    ['GET', '/app/'],
  ];
  for (const [method, url, body] of calls) {
    const answer = await page(method, url, body);
    t.equal(answer.statusCode, 403, `${method} ${url}`);
    t.match(codeOf(answer), { code: 'consent-required', link: `http://${host}/origins/#` }, url);
    t.equal(answer.headers['access-control-allow-origin'], A, 'the page can read why');
    t.match(answer.json(), { success: false, error: /\/origins\/#/ });
  }
  t.equal(driver.opened, 0);
  const [question, ...others] = (await state()).asked;
  t.match(question, { origin: A, may: ['scan', 'auto-scan'] });
  t.same(others, [], 'one question for a page');
  t.same(
    (await audit()).map(({ event }) => event),
    ['denied', 'asked'],
  );
  for (const url of ['/', '/health', '/client.js']) t.equal((await page('GET', url)).statusCode, 200, url);
  t.equal((await app.inject({ url: '/api/twain/scanners', headers: { host } })).statusCode, 200, 'a program may');
  t.equal((await page('GET', '/api/twain/scanners', undefined, 'null')).statusCode, 403);
  t.equal(codeOf(await page('GET', '/api/consent', undefined, 'null')).code, 'origin-refused');
});

t.test('ask: after a yes, the flow of an existing client works; another origin gains nothing', async t => {
  const { page, yes, state, audit } = await asking(t);
  await page('GET', '/api/twain/scanners');
  const [question] = (await state()).asked;
  t.equal((await yes({ id: question?.id, may: ['scan'] })).statusCode, 200);
  t.match((await page('GET', '/api/consent')).json(), { mode: 'ask', state: 'granted', may: ['scan'], scanners: '*' });
  t.match((await page('GET', '/api/twain/scanners')).json(), { count: 2 });
  const direct = (method: string, params: object | null) =>
    page('POST', '/api/twain', { kind: 'twainlocalscanner', method, params });
  t.match((await direct('openSource', { sourceName: 'A' })).json(), { results: { success: true } });
  t.match((await direct('scan', {})).json(), { results: { success: true }, data: { imageCount: 3 } });
  t.equal(codeOf(await page('POST', '/api/twain/autoscan/enable', {})).code, 'consent-required', 'not allowed');
  t.equal(codeOf(await page('POST', '/api/scans', scan('A', { driverOptions: { x: 1 } }))).code, 'consent-required');
  for (const origin of [B, 'http://a.example', 'https://a.example:8443', 'https://sub.a.example', 'https://a.example.'])
    t.equal(codeOf(await page('GET', '/api/twain/scanners', undefined, origin)).code, 'consent-required', origin);
  t.match(await audit(), [
    { event: 'denied', origin: A },
    { event: 'asked', origin: A },
    { event: 'allowed', origin: A, may: ['scan'], by: 'page' },
    { event: 'scan', origin: A, scanner: 'A' },
  ]);
});

t.test('ask: a no lasts until it is changed', async t => {
  const { page, act, state } = await asking(t);
  await page('GET', '/api/twain/scanners');
  await act('answers', { origin: A, may: [] });
  t.equal(codeOf(await page('GET', '/api/twain/scanners')).code, 'consent-refused');
  t.match((await page('POST', '/api/consent', {})).json(), { state: 'refused' });
  t.same((await state()).asked, [], 'and the person is not asked again');
  await act('revocations', { origin: A });
  t.equal(codeOf(await page('GET', '/api/twain/scanners')).code, 'consent-required');
});

t.test('ask: a no to more leaves what is allowed, and is not asked again', async t => {
  const { page, yes, act, state } = await asking(t);
  await yes({ may: ['scan'], scanners: ['A'] });
  const enable = () => page('POST', '/api/twain/autoscan/enable', scan('A'));
  t.equal(codeOf(await enable()).code, 'consent-required');
  const [question] = (await state()).asked;
  t.match(question, { may: ['scan', 'auto-scan'] });
  await act('answers', { id: question?.id, origin: A, may: [] });
  t.equal((await page('GET', '/api/twain/scanners')).statusCode, 200);
  t.equal(codeOf(await enable()).code, 'consent-refused');
  t.match((await page('POST', '/api/consent', { may: ['auto-scan'] })).json(), { state: 'refused' });
  t.same((await state()).asked, []);
  t.match((await page('POST', '/api/consent', { scanners: '*' })).json(), { state: 'granted' });
  t.match((await state()).asked, [{ scanners: '*', may: ['scan'] }], 'another wish is another question');
  await yes({ may: ['scan', 'auto-scan'], scanners: ['A'] });
  t.equal((await enable()).statusCode, 200, 'the person may change it');
});

t.test('ask: a grant for one scanner', async t => {
  const { page, yes, driver } = await asking(t);
  await yes({ scanners: ['A'], may: ['scan', 'auto-scan'] });
  t.match((await page('GET', '/api/twain/scanners')).json(), { count: 1, scanners: [{ name: 'A' }] });
  t.equal((await page('GET', '/api/twain/scanners/A/capabilities')).statusCode, 200);
  const { opened } = driver;
  for (const name of ['B', 'no such scanner']) {
    const path = `/api/twain/scanners/${encodeURIComponent(name)}/capabilities`;
    for (const answer of [
      await page('GET', path),
      await page('POST', '/api/twain/scan', scan(name)),
      await page('POST', '/api/scans', scan(name)),
      await page('POST', '/api/twain/autoscan/enable', scan(name)),
      await page('POST', '/api/twain', {
        kind: 'twainlocalscanner',
        method: 'openSource',
        params: { sourceName: name },
      }),
    ])
      t.equal(codeOf(answer).code, 'consent-required', name);
  }
  t.equal(driver.opened, opened, 'no scanner was opened');
});

t.test('ask: a program opened another scanner: the page learns and does nothing with it', async t => {
  const { app, page, yes } = await asking(t);
  await yes({ scanners: ['A'] });
  const direct = (method: string, params: object | null, headers: object) =>
    app.inject({
      method: 'POST',
      url: '/api/twain',
      headers: { host, ...headers },
      payload: { kind: 'twainlocalscanner', method, params },
    });
  await direct('openSource', { sourceName: 'B' }, {});
  for (const method of ['closeSource', 'getCapabilities', 'scan'])
    t.equal(codeOf(await direct(method, {}, { origin: A })).code, 'consent-required', method);
  t.equal(codeOf(await page('POST', '/api/twain/autoscan/enable', {})).code, 'consent-required');
  t.match((await page('GET', '/api/twain/status')).json(), { scannerStatus: { isPaperLoaded: false } });
});

t.test("ask: only the service's own page answers", async t => {
  const { app, page, state } = await asking(t);
  await page('GET', '/api/twain/scanners');
  const payload = { origin: A, may: ['scan'] };
  for (const headers of [
    { host, origin: A },
    { host, origin: A, 'x-platen-page': 'origins' },
    { host },
    { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    { ...own, 'sec-fetch-site': 'cross-site' },
    { ...own, origin: 'null' },
  ])
    for (const url of ['/origins/answers', '/origins/revocations'])
      t.equal((await app.inject({ method: 'POST', url, headers, payload })).statusCode, 403, JSON.stringify(headers));
  t.equal((await app.inject({ url: '/origins/state', headers: { host, origin: A } })).statusCode, 403);
  t.same((await state()).grants, []);
});

t.test('answers: bad values are named', async t => {
  const { act } = await asking(t);
  for (const [field, value] of [
    ['origin', 'null'],
    ['origin', 'https://a.example/path'],
    ['origin', 'https://*.example'],
    ['origin', 5],
    ['may', ['everything']],
    ['may', 'scan'],
    ['scanners', []],
    ['scanners', [1]],
    ['until', 'tomorrow'],
  ] as const) {
    const answer = await act('answers', { origin: A, may: ['scan'], [field]: value });
    t.equal(answer.statusCode, 400);
    t.match(codeOf(answer), { code: 'invalid-value', field });
  }
});

t.test('open and list: consent says so, and asks nobody', async t => {
  const { page, state } = await asking(t, { origins: 'open' });
  t.match((await page('POST', '/api/consent', {})).json(), { mode: 'open', state: 'granted' });
  t.match(await state(), { mode: 'open', asked: [], grants: [] });
  const list = await asking(t, { origins: [A] });
  t.match((await list.page('GET', '/api/consent')).json(), { mode: 'list', state: 'granted' });
  t.equal(codeOf(await list.page('GET', '/api/consent', undefined, B)).code, 'origin-refused');
  t.match(await list.state(), { mode: 'list', grants: [{ origin: A, by: 'configuration' }] });
});

t.test('token: programs need it, and an allowed page its pass', async t => {
  const { app, page, dataDir } = await asking(t, { origins: 'ask', localPrograms: 'token' });
  const token = (await readFile(join(dataDir, 'local.token'), 'utf8')).trim();
  const program = (url: string, authorization?: string) =>
    app.inject({ url, headers: { host, ...(authorization === undefined ? {} : { authorization }) } });
  for (const wrong of [undefined, 'Bearer x', `Basic ${token}`, `Bearer ${token}x`]) {
    const answer = await program('/api/twain/scanners', wrong);
    t.equal(answer.statusCode, 401, String(wrong));
    t.equal(codeOf(answer).code, 'token-required');
    t.equal(answer.headers['www-authenticate'], 'Bearer');
  }
  t.equal((await program('/health')).statusCode, 200);
  t.equal((await program('/api/twain/scanners', `Bearer ${token}`)).statusCode, 200);
  t.equal((await app.inject({ url: '/origins/state', headers: own })).statusCode, 401, "the service's page needs it");

  const asked = (await page('POST', '/api/consent', {})).json<{ pass: string; link: string }>();
  const other = (await page('POST', '/api/consent', {})).json<{ pass: string; link: string }>();
  t.not(asked.link, other.link, 'each asking page has a question of its own');
  const authorization = `Bearer ${token}`;
  const id = asked.link.split('#')[1];
  await app.inject({
    method: 'POST',
    url: '/origins/answers',
    headers: { ...own, authorization },
    payload: { id, origin: A, may: ['scan'] },
  });
  const list = (pass: string) => page('GET', '/api/twain/scanners', undefined, A, { authorization: `Bearer ${pass}` });
  t.equal((await list(asked.pass)).statusCode, 200);
  t.equal(codeOf(await list(other.pass)).code, 'consent-required', 'who only claims to be the page');
  t.equal(codeOf(await page('GET', '/api/twain/scanners')).code, 'consent-required');
  t.equal(
    codeOf(await page('GET', '/api/twain/scanners', undefined, B, { authorization: `Bearer ${asked.pass}` })).code,
    'consent-required',
  );
  t.notMatch(await readFile(join(dataDir, 'audit.log'), 'utf8'), asked.pass);
});
