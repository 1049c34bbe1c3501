import t from 'tap';
import { driverCodes, serviceCodes } from '@platen/core';
import { logLevelOf, scanStatusOf, statusOf, statusOfHealth } from './errors.js';
import { failureOf, oneOrigin, testApp } from './testApp.test.kit.js';

t.test('errors: every core code has an HTTP status and a scan status', async t => {
  const numbers = Object.fromEntries([...driverCodes, ...serviceCodes].map(code => [code, statusOf(code)]));
  t.same(numbers, {
    'not-connected': 503,
    'device-not-found': 404,
    'device-offline': 500,
    busy: 409,
    'no-paper': 500,
    'paper-jam': 500,
    'double-feed': 500,
    'cover-open': 500,
    unsupported: 500,
    timeout: 504,
    cancelled: 200,
    'driver-failed': 500,
    'invalid-value': 400,
    'no-source-open': 409,
    'autoscan-off': 409,
    'storage-failed': 500,
    'storage-full': 507,
    'no-pages': 404,
    'service-ended': 500,
    internal: 500,
  });
  const names = [undefined, ...driverCodes, ...serviceCodes].map(scanStatusOf);
  t.equal(new Set(names).size, names.length);
  t.equal(names[0], 'Success');
  for (const name of names) t.match(name, /^[A-Z][A-Za-z]+$/);
});

t.test('errors: health statuses and log levels', async t => {
  t.same((['Healthy', 'Degraded', 'Unhealthy'] as const).map(statusOfHealth), [200, 200, 503]);
  t.same([200, 204, 404, 500].map(logLevelOf), ['debug', 'debug', 'info', 'warn']);
});

t.test('error answer: an unknown error, logged with its stack and not quoted', async t => {
  const { app, lines } = await testApp();
  for (const url of ['/secret', '/thrown', '/code/ENOENT', '/code/internal', '/code/toString', '/code/__proto__']) {
    const response = await app.inject(url);
    t.equal(response.statusCode, 500, url);
    t.equal(failureOf(response), "The service failed to handle the request. See the service's log.", url);
  }
  t.match(lines.join(''), /secret\.txt.*"stack":"Error: ENOENT/);
});

t.test('error answer: a known error keeps its sentence', async t => {
  const { app } = await testApp();
  for (const code of [...driverCodes, ...serviceCodes].filter(each => each !== 'internal' && each !== 'cancelled')) {
    const response = await app.inject(`/code/${code}`);
    t.equal(response.statusCode, statusOf(code), code);
    t.equal(failureOf(response), 'A sentence.', code);
  }
  t.equal(failureOf(await app.inject('/jam')), 'Paper is stuck.');
});

t.test('error answer: an unknown path or method, 404 naming both', async t => {
  const { app } = await testApp();
  const cases = [
    ['GET', '/nothing?token=1', 'There is no GET /nothing.'],
    ['POST', '/ok', 'There is no POST /ok.'],
    ['DELETE', '/ok', 'There is no DELETE /ok.'],
    ['PUT', '/echo', 'There is no PUT /echo.'],
    ['GET', '/%3Cscript%3E', 'There is no GET /%3Cscript%3E.'],
    ['GET', '/%zz', 'There is no GET /%zz.'],
    ['GET', '/ok/', 'There is no GET /ok/.'],
  ] as const;
  for (const [method, url, error] of cases) {
    const response = await app.inject({ method, url });
    t.equal(response.statusCode, 404, `${method} ${url}`);
    t.equal(failureOf(response), error);
    t.match(response.headers['content-type'], 'application/json');
  }
  t.ok(failureOf(await app.inject(`/${'x'.repeat(5000)}`)).length < 300, 'a long path is cut');
  t.equal((await app.inject({ method: 'HEAD', url: '/ok' })).statusCode, 200, 'HEAD is answered where GET is');
  t.equal((await app.inject({ method: 'HEAD', url: '/echo' })).statusCode, 404);
});

t.test('error answer: a name with invalid percent-encoding, or a very long one, is an unknown name', async t => {
  const { app } = await testApp();
  t.equal((await app.inject('/scanners/100%')).json().name, '100%');
  t.equal((await app.inject('/scanners/%E4')).json().name, '%E4');
  t.equal((await app.inject('/scanners/Feeder%20A%2F1')).json().name, 'Feeder A/1');
  t.equal((await app.inject(`/scanners/${'n'.repeat(9000)}`)).json().name.length, 9000);
});

t.test("error answer: a request that violates the route's schema", async t => {
  const { app } = await testApp();
  const response = await app.inject({ method: 'POST', url: '/checked', payload: {} });
  t.equal(response.statusCode, 400);
  t.match(failureOf(response), /name/);
});

t.test('error answer: has CORS headers, so that the page can read it', async t => {
  const origin = 'https://app.example:8443';
  const { app } = await testApp(oneOrigin);
  const big = 'x'.repeat(65 * 1024);
  const requests = [
    [404, { method: 'GET', url: '/nothing' }],
    [404, { method: 'GET', url: '/%zz' }],
    [400, { method: 'POST', url: '/echo', payload: '{', headers: { 'content-type': 'application/json' } }],
    [413, { method: 'POST', url: '/echo', payload: big, headers: { 'content-type': 'application/json' } }],
    [415, { method: 'POST', url: '/echo', payload: 'a=1', headers: { 'content-type': 'text/plain' } }],
    [500, { method: 'GET', url: '/secret' }],
    [503, { method: 'GET', url: '/code/not-connected' }],
  ] as const;
  for (const [status, request] of requests) {
    const response = await app.inject({
      ...request,
      headers: { ...('headers' in request ? request.headers : {}), origin },
    });
    t.equal(response.statusCode, status);
    failureOf(response);
    t.match(
      response.headers,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        vary: /Origin/,
        'access-control-expose-headers': 'x-request-id',
      },
      `${status}`,
    );
  }
});

t.test('request log: one line per request, without query and body', async t => {
  const { app, lines } = await testApp();
  await app.inject('/ok?token=abc');
  await app.inject({
    method: 'POST',
    url: '/echo?token=abc',
    payload: '{"name": abc}',
    headers: { 'content-type': 'application/json' },
  });
  await app.inject('/nothing?token=abc');
  t.equal(lines.length, 3);
  t.match(lines[0], /"level":20,.*GET \/ok 200 \d+ ms/);
  t.match(lines[1], /"level":30,.*POST \/echo 400 \d+ ms/);
  t.match(lines[2], /GET \/nothing 404/);
  t.notMatch(lines.join(''), /abc/);
});
