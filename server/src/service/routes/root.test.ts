/** `GET /`: facts for programs, the page for people. And the pages' addresses, with a slash and without. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { testService } from '../service.test.kit.js';

const host = 'localhost:53052';

t.test('root: a browser that opens it is led to the page; programs get the facts', async t => {
  const { app } = await testService(t, fakeDriver());
  const get = (headers: Record<string, string>) => app.inject({ url: '/', headers: { host, ...headers } });
  const navigation = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

  for (const sent of [{ accept: navigation, 'sec-fetch-mode': 'navigate' }, { accept: navigation }]) {
    const { statusCode, headers } = await get(sent);
    t.same([statusCode, headers.location], [302, '/app/'], JSON.stringify(sent));
    t.match(headers.vary, /Accept.*Sec-Fetch-Mode/);
  }
  const programs: Record<string, string>[] = [
    {},
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'text/html' },
    // Java's HttpURLConnection.
    { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' },
    { accept: navigation, 'sec-fetch-mode': 'cors' },
    { accept: '*/*', 'sec-fetch-mode': 'same-origin' },
  ];
  for (const sent of programs) {
    const answer = await get(sent);
    t.equal(answer.statusCode, 200, JSON.stringify(sent));
    t.match(answer.json(), { service: 'Platen', status: 'running', version: String }, JSON.stringify(sent));
    t.match(answer.headers.vary, /Accept.*Sec-Fetch-Mode/);
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
