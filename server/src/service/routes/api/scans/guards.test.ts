/** Who may reach the calls of scans: by CORS, by origin and by host. */
import t from 'tap';
import { A, B, codeOf, service } from './scans.test.kit.js';

t.test("CORS: the preflight of each call, and the answers' headers", async t => {
  const { app, started, ended, call } = await service(t, { sheets: 1 });
  const asked = 'content-type,idempotency-key,if-none-match,last-event-id,range';
  for (const [method, url] of [
    ['POST', '/api/scans'],
    ['POST', '/api/documents'],
    ['GET', '/api/scans/1/pages/1'],
    ['DELETE', '/api/scans/1'],
  ]) {
    const { statusCode, headers } = await app.inject({
      method: 'OPTIONS',
      url: url ?? '',
      headers: {
        origin: A,
        'access-control-request-method': method ?? '',
        'access-control-request-headers': asked,
      },
    });
    t.equal(statusCode, 204);
    t.match(headers, { 'access-control-allow-origin': A, 'access-control-allow-headers': asked });
    const allowed = String(headers['access-control-allow-methods']).split(', ');
    t.ok(allowed.includes(method ?? ''), String(method));
    t.notOk(allowed.includes('PUT') || allowed.includes('PATCH'));
  }
  const id = await started({ origin: A });
  const { pages } = await ended(id, { origin: A });
  for (const url of [pages[0]?.url ?? '', `/api/scans/${id}/events`, `/api/scans/${id}`]) {
    const { headers } = await call('GET', url, { origin: A });
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
    for (const name of ['location', 'etag', 'content-digest', 'content-range', 'accept-ranges', 'platen-error'])
      t.ok(exposed.includes(name), `${url} ${name}`);
    t.equal(headers['access-control-allow-origin'], A);
  }
});

t.test('guards: what a browser sends without CORS reaches no scan', async t => {
  const { app, call, started, ended, read, driver } = await service(t, { sheets: 1 });
  const id = await started();
  const { pages } = await ended(id);
  driver.load(1);
  const { scans } = driver;
  const url = pages[0]?.url ?? '';
  const rejected = async (what: string, ...args: Parameters<typeof call>) => {
    const answer = await call(...args);
    t.equal(answer.statusCode, 403, what);
    t.same(codeOf(answer), { code: 'cors-required' }, what);
  };
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
  const picture = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' };
  const ofScan = ['', '/events', '/document', '/documents'].map(part => `/api/scans/${id}${part}`);
  for (const each of [url, `${url}?width=100`, '/api/scans', ...ofScan]) {
    await rejected(`typed address ${each}`, 'GET', each, navigation);
    await rejected(`link ${each}`, 'GET', each, { ...navigation, 'sec-fetch-site': 'cross-site' });
    await rejected(`picture ${each}`, 'GET', each, picture);
    await rejected(`own picture ${each}`, 'GET', each, { ...picture, 'sec-fetch-site': 'same-origin' });
  }
  await rejected('HEAD of a picture', 'HEAD', url, picture);
  for (const path of ['/api/scans', '/api/documents', `/api/scans/${id}/cancel`, `/api/scans/${id}/continue`]) {
    const form = { method: 'POST' as const, url: path, payload: 'a=1' };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await app.inject({ ...form, headers: { origin: A, 'content-type': type } });
      t.equal(answer.statusCode, 403, `form ${path} ${type}`);
    }
    await rejected(`form ${path}`, 'POST', path, { ...navigation, 'sec-fetch-site': 'cross-site', origin: A });
  }
  await rejected('DELETE without CORS', 'DELETE', `/api/scans/${id}`, picture);
  t.match(await read(id), { state: 'completed', pageCount: 1 });
  t.equal(driver.scans, scans);

  const crossorigin = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site', origin: A };
  t.equal((await call('GET', url, crossorigin)).statusCode, 404, 'a picture with crossorigin: of another owner');
  const own = { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', host: 'localhost' };
  const mine = await started({ origin: 'http://localhost', host: 'localhost' });
  t.equal((await call('GET', `/api/scans/${mine}/pages/1?wait=60`, own)).statusCode, 200, 'of its own page');
});

t.test('guards: an origin that is not allowed, and a foreign host, are rejected', async t => {
  const { call, started, ended, read } = await service(t, { sheets: 1 }, { origins: [A] });
  const id = await started({ origin: A });
  const scan = await ended(id, { origin: A });
  for (const [method, path] of [
    ['POST', '/api/scans'],
    ['GET', '/api/scans'],
    ['GET', `/api/scans/${id}`],
    ['GET', `/api/scans/${id}/pages/1`],
    ['HEAD', `/api/scans/${id}/pages/1`],
    ['GET', `/api/scans/${id}/events`],
    ['GET', `/api/scans/${id}/document`],
    ['HEAD', `/api/scans/${id}/document`],
    ['GET', `/api/scans/${id}/documents`],
    ['POST', '/api/documents'],
    ['POST', `/api/scans/${id}/cancel`],
    ['POST', `/api/scans/${id}/continue`],
    ['DELETE', `/api/scans/${id}`],
  ] as const) {
    const foreign = await call(method, path, { origin: B });
    t.equal(foreign.statusCode, 403, `${method} ${path}`);
    t.same(codeOf(foreign), { code: 'origin-refused' });
    t.notOk(foreign.headers['access-control-allow-origin']);
    t.equal((await call(method, path, { host: 'evil.example' })).statusCode, 421, `${method} ${path}`);
  }
  t.same(await read(id, { origin: A }), scan);
  t.equal((await call('DELETE', `/api/scans/${id}`, { origin: A })).statusCode, 200);
});
