/** How a call can be spelt: no spelling, method or header reaches a handler without consent. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { codeOf } from './scans/scans.test.kit.js';
import { testService } from '../../service.test.kit.js';

const host = 'localhost:53052';
const A = 'https://a.example';

const paths = [
  '/api/twain/scanners',
  '//api/twain/scanners',
  '/api//twain/scanners',
  '/API/twain/scanners',
  '/Api/Twain/Scanners',
  '/%61pi/twain/scanners',
  '/%61%70%69/%74wain/scanners',
  '/api%2ftwain%2fscanners',
  '/api/twain/scanners/',
  '/api/twain/scanners//',
  '/api/./twain/scanners',
  '/api/x/../twain/scanners',
  '/api/consent/../twain/scanners',
  '/health/../api/twain/scanners',
  '/component/../api/twain/scanners',
  '/component/%2e%2e/api/twain/scanners',
  '/component/..%2fapi%2ftwain%2fscanners',
  '/api/twain/scanners?x=/health',
  '/api/twain/scanners;/health',
  '/api/twain/scanners%00',
  '/api/twain/scanners%zz',
  '/api/twain/%73canners#/health',
  '/api\\twain\\scanners',
  '/api/consent/',
  '/api/consent/x',
  '/health/x',
  '/client.jsx',
  'https://localhost:53052/api/twain/scanners',
] as const;

async function asking(security: object = { origins: 'ask' }) {
  const driver = fakeDriver({ devices: [{ name: 'Secret scanner', flatbed: false }], sheets: 3 });
  const made = await testService(t, driver, { config: { security } });
  const handled: string[] = [];
  return { ...made, driver, handled };
}

const { app, driver } = await asking();

t.test('spellings: of paths, by every method, from a page that nobody allowed', async t => {
  for (const url of paths)
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'PROPFIND', 'TRACE'] as const) {
      const answer = await app.inject({ method: method as 'GET', url, headers: { host, origin: A } });
      const title = `${method} ${url}`;
      // A method that fastify does not know, or a path that leaves Platen's own: nothing is there.
      t.ok(
        [403, 404].includes(answer.statusCode) || (answer.statusCode === 400 && /%|\\|#/.test(url)),
        `${title}: ${answer.statusCode}`,
      );
      t.notMatch(answer.body, /Secret scanner/, title);
    }
  t.equal(driver.opened, 0);
});

t.test('spellings: a preflight says nothing and asks nobody', async t => {
  for (const url of paths) {
    const answer = await app.inject({
      method: 'OPTIONS',
      url,
      headers: { host, origin: 'https://preflight.example', 'access-control-request-method': 'POST' },
    });
    t.equal(answer.body, '', url);
  }
  const { asked } = (
    await app.inject({ url: '/origins/state', headers: { host, 'sec-fetch-site': 'same-origin' } })
  ).json<{ asked: readonly { origin: string }[] }>();
  t.notOk(asked.some(({ origin }) => origin === 'https://preflight.example'));
});

t.test('spellings: of origins', async t => {
  const page = async (origin: string) => app.inject({ url: '/api/twain/scanners', headers: { host, origin } });
  await app.inject({
    method: 'POST',
    url: '/origins/answers',
    headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'x-platen-page': 'origins' },
    payload: { origin: A, may: ['scan'] },
  });
  t.equal((await page(A)).statusCode, 200);
  t.equal((await page('HTTPS://A.EXAMPLE')).statusCode, 200, 'no browser sends this; it is the same origin');
  for (const origin of [
    'http://a.example',
    'https://a.example.',
    'https://a.example:443',
    'https://a.example:8443',
    'https://a.example:80',
    'https://sub.a.example',
    'https://xa.example',
    'https://a.example.evil.example',
    'https://\u0430.example',
    'https://xn--80a.example',
    'https://a.example@evil.example',
    'https://evil.example#https://a.example',
    'https://a.example/',
    'https://a.example/x',
    'https://a.example https://evil.example',
    'https://a.example, https://evil.example',
    'https://evil.example, https://a.example',
    'a.example',
    '//a.example',
    'null',
    'file://',
    '',
    'chrome-extension://a.example',
    'moz-extension://a.example',
    `https://127.0.0.1:53052`,
    'https://localhost:53052',
    'http://localhost:53053',
    'http://localhost',
    'http://127.0.0.1:53052',
  ]) {
    const answer = await page(origin);
    t.equal(answer.statusCode, 403, origin);
    t.match(codeOf(answer).code, /^(?:consent-required|origin-refused)$/, origin);
    t.notMatch(answer.body, /Secret scanner/, origin);
  }
});

t.test('own page: only under the name by which it was opened', async t => {
  const call = async (name: string, origin: string) =>
    (await app.inject({ url: '/api/twain/scanners', headers: { host: name, origin } })).statusCode;
  t.equal(await call('localhost:53052', 'http://localhost:53052'), 200);
  t.equal(await call('localhost:53052', 'http://LOCALHOST:53052'), 200);
  for (const [name, origin] of [
    ['localhost:53052', 'http://127.0.0.1:53052'],
    ['localhost:53052', 'http://localhost:1'],
    ['localhost', 'http://localhost:53052'],
    ['localhost:53052', 'https://localhost:53052'],
  ] as const)
    t.equal(await call(name, origin), 403, `${origin} calls ${name}`);
});

t.test('token: other schemes and spellings of Authorization', async t => {
  const { app: needing, dataDir } = await asking({ origins: 'ask', localPrograms: 'token' });
  const { readFile } = await import('node:fs/promises');
  const token = (await readFile(`${dataDir}/local.token`, 'utf8')).trim();
  const call = async (authorization: string, more: object = {}) =>
    needing.inject({ url: '/api/twain/scanners', headers: { host, authorization, ...more } });
  t.equal((await call(`Bearer ${token}`)).statusCode, 200);
  t.equal((await call(`bearer  ${token}`)).statusCode, 200, 'RFC 9110: schemes have no case');
  for (const wrong of [
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
    `Digest ${token}`,
    `Bearer "${token}"`,
    `Bearer ${token} `.padEnd(60, 'x'),
    `Bearer x, Bearer ${token}`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toLowerCase()}`,
  ])
    for (const more of [{}, { 'sec-fetch-site': 'same-origin' }]) {
      const answer = await call(wrong, more);
      t.equal(answer.statusCode, 401, wrong);
      t.equal(codeOf(answer).code, 'token-required');
    }
  for (const path of ['/origins/state', '/app/about?scanner=A', '/app/plugins', '/app/scanners'])
    t.equal((await needing.inject({ url: path, headers: { host, 'sec-fetch-site': 'same-origin' } })).statusCode, 401);
  t.equal((await call(`Bearer ${token}`, { origin: A })).statusCode, 200, 'who has the token may, as any page');
  t.equal(codeOf(await call('Bearer x', { origin: A })).code, 'consent-required');
  t.same(
    (
      await needing.inject({
        url: '/origins/state',
        headers: { host, authorization: `Bearer ${token}`, 'sec-fetch-site': 'same-origin' },
      })
    ).json<{ asked: unknown[] }>().asked,
    [],
    'a call without a pass asks nothing that its page could not use',
  );
});
