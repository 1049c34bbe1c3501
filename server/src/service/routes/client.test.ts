/** Files by name: those of the folders that the service serves, and nothing else. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { testService } from '../service.test.kit.js';

t.test('client, pages: a file by its name, also for HEAD and percent-encoded; anything else is not found', async t => {
  const { app } = await testService(t, fakeDriver());
  const call = async (method: 'GET' | 'HEAD' | 'POST', url: string) => {
    const { statusCode, headers, body } = await app.inject({ method, url, headers: { host: 'localhost:53052' } });
    return { statusCode, type: headers['content-type'], error: headers['platen-error'], body };
  };
  for (const [path, type] of [
    ['/client/errors.d.ts', /^application\/typescript/],
    ['/client/%65rrors.d.ts', /^application\/typescript/],
    ['/component/words/en.d.ts', /^application\/typescript/],
    ['/app/icon.svg', /^image\/svg/],
    ['/app/main.js', /^text\/javascript/],
  ] as const) {
    t.match(await call('GET', path), { statusCode: 200, type, body: /./ }, path);
    t.match(await call('HEAD', path), { statusCode: 200, type, body: '' }, path);
  }
  const { body: _, ...unknown } = await call('GET', '/nothing');
  t.match(unknown, { statusCode: 404, type: /json/, error: /"code":/ });
  for (const [method, path] of [
    ['GET', '/client/'],
    ['GET', '/client/none.js'],
    ['GET', '/client/constructor'],
    ['GET', '/client/..%2fclient.js'],
    ['GET', '/component/words/de.d.ts'],
    ['GET', '/app/..%2f..%2fpackage.json'],
    ['POST', '/app/main.js'],
  ] as const) {
    const { body: __, ...answer } = await call(method, path);
    t.same(answer, unknown, `${method} ${path}`);
  }
});
