/** `GET /`: facts for programs, the page for people. And the pages' addresses, with a slash and without. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { testService } from '../service.test.kit.js';

const host = 'localhost:53052';

t.test('root: a browser that opens it is led to the page; programs get the facts', async t => {
  const { app } = await testService(t, fakeDriver());
  const get = (accept?: string) => app.inject({ url: '/', headers: { host, ...(accept !== undefined && { accept }) } });

  for (const accept of [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/html',
    'application/json;q=0.5, Text/HTML;q=0.9',
  ]) {
    const { statusCode, headers } = await get(accept);
    t.same([statusCode, headers.location], [302, '/app/'], accept);
    t.match(headers.vary, /Accept/);
  }
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/html;q=0.5',
    'application/json, text/html',
    'text/html;q=0',
    'text/html;q=x',
    'application/json, text/plain, */*',
  ]) {
    const answer = await get(accept);
    t.equal(answer.statusCode, 200, accept ?? 'none');
    t.match(answer.json(), { service: 'Platen', status: 'running', version: String }, accept ?? 'none');
    t.match(answer.headers.vary, /Accept/);
  }
});

t.test('pages: with the other spelling of the slash, redirected', async t => {
  const { app } = await testService(t, fakeDriver());
  for (const [path, to] of [
    ['/app', '/app/'],
    ['/origins', '/origins/'],
    ['/reference/', '/reference'],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url: path, headers: { host } });
    t.same([statusCode, headers.location], [302, to], path);
    t.equal((await app.inject({ url: to, headers: { host } })).statusCode, 200, to);
  }
});
