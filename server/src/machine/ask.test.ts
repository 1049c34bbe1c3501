import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createHttps } from 'node:https';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ask, bytesOf, call } from './ask.js';
import { createCertificate, readCertificate } from './tls/certificate.js';

async function listener(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

t.test('ask: the server accepts the connection and does not answer', async t => {
  const port = await listener(() => undefined);
  await t.rejects(ask({ port, host: 'localhost', path: '/', timeoutMs: 20 }), { name: 'NoReply', trouble: 'silent' });
});

t.test('ask: the server disconnects, or speaks another protocol', async t => {
  for (const port of [
    await listener(socket => socket.destroy()),
    await listener(socket => socket.end('SSH-2.0-OpenSSH\r\n')),
  ]) {
    await t.rejects(ask({ port, host: 'localhost', path: '/' }), { name: 'NoReply', trouble: 'foreign' });
  }
});

const DAY_MS = 24 * 60 * 60 * 1000;

/** A certificate of this age, in a data folder of its own. */
async function certificate(ageDays = 0): Promise<{ key: string; cert: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-ask-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const made = new Date(Date.now() - ageDays * DAY_MS);
  await createCertificate(dir, made);
  return readCertificate(dir, made);
}

t.test('call: sends nothing to a server with another certificate, or with an expired one', async t => {
  const [own, other, expired] = await Promise.all([certificate(), certificate(), certificate(900)]);
  for (const [presented, expected, trouble] of [
    [own, own, undefined],
    [other, own, 'untrusted'],
    [expired, expired, 'untrusted'],
  ] as const) {
    const asked: string[] = [];
    const server = createHttps({ key: presented.key, cert: presented.cert }, (request, response) => {
      asked.push(request.url ?? '');
      response.end('well');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => server.close());
    const { port } = server.address() as AddressInfo;
    const question = { port, host: 'localhost', path: '/', certificate: expected.cert };
    if (trouble === undefined) {
      t.equal((await ask(question)).text, 'well');
      t.equal(String(await bytesOf(await call(question), 4)), 'well');
      await t.rejects(
        bytesOf(await call(question), 3),
        { name: 'NoReply', trouble: 'foreign' },
        'longer than accepted',
      );
      t.same(asked, ['/', '/', '/']);
    } else {
      await t.rejects(ask(question), { name: 'NoReply', trouble });
      t.same(asked, []);
    }
  }
});

t.test('call: an answer that breaks off, and one that never ends', async t => {
  const own = await certificate();
  const server = createHttps(own, (request, response) => {
    response.writeHead(200, { 'content-length': 8 });
    response.write('half', () => void (request.url === '/broken' && response.destroy()));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => (server.closeAllConnections(), server.close()));
  const { port } = server.address() as AddressInfo;
  const question = { port, host: 'localhost', certificate: own.cert };
  const read = async (options: { path: string; idleMs?: number }) =>
    bytesOf(await call({ ...question, ...options }), 8);
  await t.rejects(read({ path: '/broken' }), { name: 'NoReply', trouble: 'foreign' });
  await t.rejects(read({ path: '/slow', idleMs: 50 }), { name: 'NoReply' });
  await t.rejects(ask({ ...question, path: '/slow', timeoutMs: 50 }), { name: 'NoReply', trouble: 'silent' });
});
