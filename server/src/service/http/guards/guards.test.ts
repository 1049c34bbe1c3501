import { connect as tlsConnect } from 'node:tls';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ensureCertificate } from '../../../machine/tls/ensure.js';
import { anyOrigin, failureOf, oneOrigin, testApp } from '../testApp.test.kit.js';

t.test('host guard: a foreign Host, 421 before any other check', async t => {
  const { app, handled } = await testApp();
  for (const host of [
    'evil.example',
    'evil.example:53052',
    'localhost.evil.example',
    'localhost.',
    'user@localhost',
    '::1',
    '[::2]',
    '127.0.0.2',
    '0.0.0.0',
    ':80',
    ' ',
  ]) {
    for (const request of [
      { method: 'GET', url: '/ok' },
      { method: 'GET', url: '/nothing' },
      { method: 'OPTIONS', url: '/ok' },
      { method: 'GET', url: '/%zz' },
    ] as const) {
      const response = await app.inject({ ...request, headers: { host, origin: 'https://evil.example' } });
      t.equal(response.statusCode, 421, `${host} ${request.method} ${request.url}`);
      t.match(failureOf(response), / localhost, 127\.0\.0\.1, \[::1\]\.$/);
      t.notOk(response.headers['access-control-allow-origin']);
    }
  }
  const unread = await app.inject({
    method: 'POST',
    url: '/echo',
    payload: '{',
    headers: { host: 'evil.example', 'content-type': 'application/json' },
  });
  t.equal(unread.statusCode, 421, 'the body is not looked at');
  t.same(handled, []);
});

t.test('host guard: own names pass, with any port and letter case', async t => {
  const { app } = await testApp();
  for (const host of ['localhost', 'LOCALHOST:53052', '127.0.0.1:1', '[::1]', '[::1]:53052']) {
    t.equal((await app.inject({ url: '/ok', headers: { host } })).statusCode, 200, host);
  }
});

t.test('host guard: over TLS, a missing Host and input that is not HTTP', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-guard-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const { key, cert } = await ensureCertificate(dir);
  const { app, lines, handled } = await testApp(anyOrigin, { key, cert });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = tlsConnect({ host: '127.0.0.1', port, ca: cert, servername: 'localhost' }, () =>
        socket.write(text),
      );
      socket
        .setEncoding('utf8')
        .on('data', (more: string) => (answer += more))
        .on('end', () => resolve(answer))
        .on('error', reject);
    });
  const cases: [string, RegExp, string][] = [
    ['no Host', /^HTTP\/1\.1 421 /, 'GET /ok HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an empty Host', /^HTTP\/1\.1 421 /, 'GET /ok HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['HTTP/1.0', /^HTTP\/1\.1 421 /, 'GET /ok HTTP/1.0\r\n\r\n'],
    ['a foreign Host', /^HTTP\/1\.1 421 /, 'GET /ok HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
    [
      'two Hosts',
      /^HTTP\/1\.1 400 /,
      'GET /ok HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\nConnection: close\r\n\r\n',
    ],
    [
      'a foreign Host behind ours',
      /^HTTP\/1\.1 400 /,
      'GET /ok HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    ],
    [
      'a foreign address',
      /^HTTP\/1\.1 421 /,
      'GET https://evil.example/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ],
    [
      'a foreign address with our name before it',
      /^HTTP\/1\.1 421 /,
      'GET https://localhost@evil.example/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ],
    [
      'an address that is not the Host',
      /^HTTP\/1\.1 400 /,
      'GET https://localhost:1/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ],
    ['no HTTP', /^HTTP\/1\.1 400 /, 'hello\r\n\r\n'],
    ['large headers', /^HTTP\/1\.1 431 /, `GET /ok HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ];
  for (const [title, status, text] of cases) {
    const answer = await raw(text);
    t.match(answer, status, title);
    t.match(answer, /\r\nplaten-error: \{"code":"[a-z-]+"\}\r\n/i, title);
    failureOf({ json: () => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as unknown });
  }
  t.match(
    await raw('GET https://localhost/ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1\.1 200 /,
    'the address in full',
  );
  t.match(await raw('GET /ok HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200 /);

  const leaving = tlsConnect({ host: '127.0.0.1', port, ca: cert, servername: 'localhost' }, () => {
    leaving.write(
      'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"half',
      () => leaving.destroy(),
    );
  });
  const said = (): { level: number; msg: string }[] =>
    lines.map(line => JSON.parse(line) as { level: number; msg: string });
  while (!said().some(({ msg }) => /POST \/echo.*disconnected/.test(msg)))
    await new Promise(resolve => setTimeout(resolve, 15));
  t.same(
    said().filter(({ level, msg }) => level >= 40 && msg.includes('/echo')),
    [],
    'a client that leaves in its body is no failure of the service',
  );
  t.notOk(handled.includes('/echo'));
});

t.test('origin guard: with a list, a foreign Origin gets 403 before any handler', async t => {
  const { app, handled } = await testApp(oneOrigin);
  for (const origin of [
    'https://evil.example',
    'null',
    'https://app.example',
    'http://app.example:8443',
    'https://app.example:8443.evil.example',
    '',
  ]) {
    for (const request of [
      { method: 'GET', url: '/ok' },
      { method: 'GET', url: '/nothing' },
      { method: 'POST', url: '/echo', payload: '{', headers: { 'content-type': 'text/plain' } },
      {
        method: 'OPTIONS',
        url: '/ok',
        headers: { 'access-control-request-method': 'GET', 'access-control-request-private-network': 'true' },
      },
    ] as const) {
      const response = await app.inject({
        ...request,
        headers: { ...('headers' in request ? request.headers : {}), origin },
      });
      t.equal(response.statusCode, 403, `${origin} ${request.method} ${request.url}`);
      t.match(failureOf(response), /security\.origins/);
      t.notOk(response.headers['access-control-allow-origin']);
      t.notOk(response.headers['access-control-allow-private-network']);
    }
  }
  t.same(handled, []);
  t.equal((await app.inject('/ok')).statusCode, 200, 'no Origin is no web page');
  t.equal((await app.inject({ url: '/ok', headers: { origin: 'https://app.example:8443' } })).statusCode, 200);
});

t.test("origin guard: with a list, the service's own pages pass, other local pages do not", async t => {
  const { app } = await testApp(oneOrigin);
  const status = async (host: string, origin: string): Promise<number> =>
    (await app.inject({ method: 'POST', url: '/echo', headers: { host, origin } })).statusCode;
  t.equal(await status('localhost:53052', 'http://localhost:53052'), 200);
  t.equal(await status('127.0.0.1:53052', 'http://127.0.0.1:53052'), 200);
  for (const origin of ['http://localhost:3000', 'https://localhost:53052', 'http://127.0.0.1:53052', 'null'])
    t.equal(await status('localhost:53052', origin), 403, origin);
});

t.test('CORS: "*", every origin is echoed, with credentials', async t => {
  const { app } = await testApp();
  for (const origin of ['https://anything.example', 'null', 'http://localhost:3000']) {
    const { headers, statusCode } = await app.inject({ url: '/ok', headers: { origin } });
    t.equal(statusCode, 200);
    t.match(headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: /Origin/,
      'access-control-expose-headers': 'x-request-id',
    });
  }
  const plain = await app.inject('/ok');
  t.notOk(plain.headers['access-control-allow-origin']);
  t.match(plain.headers.vary, /Origin/, 'a cache must not give this answer to a page');
});

t.test('CORS: preflight on known and unknown paths', async t => {
  for (const security of [anyOrigin, oneOrigin]) {
    const { app } = await testApp(security);
    for (const url of ['/echo', '/nothing', '/']) {
      const { statusCode, headers, body } = await app.inject({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'https://app.example:8443',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-mine',
          'access-control-request-private-network': 'true',
        },
      });
      t.equal(statusCode, 204, url);
      t.equal(body, '');
      t.match(headers, {
        'access-control-allow-origin': 'https://app.example:8443',
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
        'access-control-allow-headers': 'content-type,x-mine',
        'access-control-allow-private-network': 'true',
        'access-control-max-age': '600',
        vary: /Origin/,
      });
    }
  }
});

t.test('private network: the header is only sent on request', async t => {
  const { app } = await testApp();
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
  t.notOk(
    (await app.inject({ method: 'OPTIONS', url: '/echo', headers: preflight })).headers[
      'access-control-allow-private-network'
    ],
  );
  t.notOk(
    (await app.inject({ url: '/ok', headers: { 'access-control-request-private-network': 'true' } })).headers[
      'access-control-allow-private-network'
    ],
  );
});

t.test('CORS: an OPTIONS without CORS headers is not an error', async t => {
  const { app } = await testApp();
  t.equal((await app.inject({ method: 'OPTIONS', url: '/ok' })).statusCode, 204);
  t.equal((await app.inject({ method: 'OPTIONS', url: '*' })).statusCode, 204);
});

t.test('WebSocket: refused under /api, with and without fetch metadata', async t => {
  const { app, handled } = await testApp();
  app.get('/api/events', async () => ({}));
  for (const more of [
    {},
    { 'sec-fetch-mode': 'websocket', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-mode': 'cors' },
  ])
    for (const upgrade of ['websocket', 'WebSocket', 'h2c, websocket']) {
      const answer = await app.inject({
        url: '/api/events',
        headers: { origin: 'https://a.example', connection: 'Upgrade', upgrade, ...more },
      });
      t.equal(answer.statusCode, 403, upgrade);
      t.match(answer.headers['platen-error'], /cors-required/);
    }
  t.same(handled, []);
});
