/** `fetch` over a socket, and to a service that moves to another port. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { fetchAt, type Place } from './fetch.js';

/** Listens on a socket of its own. */
async function listener(t: Test, answer: RequestListener): Promise<Place & { readonly server: Server }> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-fetch-'));
  const socketPath = join(dir, 's');
  const server = createServer(answer);
  await new Promise<void>(resolve => server.listen(socketPath, resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await rm(dir, { recursive: true, force: true });
  });
  return { host: 'localhost', port: 1, socketPath, server };
}

const nowhere = async (): Promise<undefined> => undefined;

t.test('fetch: sends what it is given, gives what was answered', async t => {
  const place = await listener(t, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { method, url, headers } = request;
    response.setHeader('x-heard', `${method} ${url} ${headers.host} ${headers['x-a']}`);
    response.end(Buffer.concat(parts));
  });
  const fetch = fetchAt(place, nowhere);
  const answer = await fetch('http://localhost/a?b=c', { method: 'POST', headers: { 'x-a': 'd' }, body: '{"e":"ü"}' });
  t.match(answer, { ok: true, status: 200, url: 'http://localhost/a?b=c' });
  t.equal(answer.headers.get('x-heard'), 'POST /a?b=c localhost:1 d');
  t.same(await answer.json(), { e: 'ü' });
});

t.test('fetch: an answer without a body, an error, an answer that is cut', async t => {
  const place = await listener(t, (request, response) => {
    const status = Number(request.url?.slice(1));
    response.writeHead(status, status === 204 ? {} : { 'content-length': status === 200 ? 9 : 0 });
    if (status === 200) response.write('abc', () => response.destroy());
    else response.end();
  });
  const fetch = fetchAt(place, nowhere);
  t.match(await fetch('http://x/204'), { status: 204, body: null });
  t.match(await fetch('http://x/409'), { status: 409, ok: false });
  await t.rejects((await fetch('http://x/200')).text());
});

t.test('fetch: an aborted signal ends the call, and the answer', async t => {
  const place = await listener(t, (request, response) => void (request.url === '/part' && response.write('a')));
  const fetch = fetchAt(place, nowhere);
  const reason = new Error('enough');
  await t.rejects(fetch('http://x/', { signal: AbortSignal.abort(reason) }), reason);
  const stop = new AbortController();
  const answer = await fetch('http://x/part', { signal: stop.signal });
  stop.abort(reason);
  await t.rejects(answer.text());
});

t.test('fetch: a service that starts again is waited for, at its new place', async t => {
  const { server, ...old } = await listener(t, (_, response) => void response.end('old'));
  const { server: _, ...next } = await listener(t, (__, response) => void response.end('new'));
  const places: (Place | undefined)[] = [
    { ...old, port: 0 },
    { ...old, port: 0 },
    { ...next, port: 2 },
  ];
  const fetch = fetchAt(old, async () => places.shift());
  const text = async (): Promise<string> => (await fetch('http://x/')).text();
  t.equal(await text(), 'old');
  await new Promise(resolve => server.close(resolve));
  t.equal(await text(), 'new');
  t.equal(await text(), 'new');
  t.same(places, []);
});

t.test('fetch: another program has the old place, the next call goes to the new one', async t => {
  let heard = 0;
  const { server: _, ...old } = await listener(t, request => void (heard++, request.socket.destroy()));
  const { server: __, ...next } = await listener(t, (___, response) => void response.end('new'));
  const fetch = fetchAt(old, async () => ({ ...next, port: 2 }));
  await t.rejects(fetch('http://x/'), { name: 'NoReply', trouble: 'foreign' });
  t.equal(await (await fetch('http://x/')).text(), 'new');
  t.equal(heard, 1, 'it is not sent twice');
});

t.test('fetch: a service that is nowhere, or where it was', async t => {
  const gone: Place = { host: 'localhost', port: 1, socketPath: join(tmpdir(), 'platen-fetch-none') };
  for (const found of [undefined, gone])
    await t.rejects(fetchAt(gone, async () => found)('http://x/'), { name: 'NoReply' });
});
