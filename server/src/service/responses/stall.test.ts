/** Which clients are waited for, and which are disconnected. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import { ensureCertificate } from '../../machine/tls/ensure.js';
import { kept, serve, until } from './eventStream.test.kit.js';
import { watchStall } from './stall.js';

/** Sends a request and reads nothing of the answer until told. */
async function slowClient(socket: Socket, name: string): Promise<Socket> {
  socket.on('error', () => undefined);
  socket.write(`GET /${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'data');
  return socket.pause();
}

/** The client reads this many bytes more, then none. */
async function takeSome(socket: Socket, bytes: number): Promise<void> {
  let taken = 0;
  await new Promise<void>(resolve => {
    const onData = (data: Buffer): void => {
      taken += data.length;
      if (taken < bytes) return;
      socket.removeListener('data', onData);
      socket.pause();
      resolve();
    };
    socket.on('data', onData).resume();
  });
}

t.test('stall: 30 s without a byte disconnect a client; slow and other clients are unaffected', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-sse-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const certificate = await ensureCertificate(dir);
  for (const tls of [undefined, { key: certificate.key, cert: certificate.cert }]) {
    await t.test(tls ? 'TLS' : 'plain', async t => {
      const { port, reader, clock, clients } = await serve(t, tls);
      const dial = (): Socket =>
        tls ? connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }) : connect(port, '127.0.0.1');
      const [stalled, slow, quick] = [reader('stalled'), reader('slow'), reader('quick')];
      const sockets = {
        stalled: await slowClient(dial(), 'stalled'),
        slow: await slowClient(dial(), 'slow'),
        quick: dial(),
      };
      t.teardown(() => Object.values(sockets).forEach(socket => socket.destroy()));
      sockets.quick.write('GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n');
      sockets.quick.resume();
      await until(() => clients.size === 3);
      const large = kept(24_000_000);
      for (const each of [stalled, slow, quick]) each.page('9-1', large);
      await until(
        () =>
          quick.seen.taken.length === 1 &&
          ['stalled', 'slow'].every(name => clients.get(name)?.writableNeedDrain === true),
      );
      t.ok((clients.get('stalled')?.writableLength ?? 0) < 2_000_000, 'a page is never held as a whole for one reader');
      for (let round = 0; round < 4; round++) {
        await takeSome(sockets.slow, 4_000_000);
        await wait(20);
        await clock.advance(30_000);
        t.equal(clients.get('slow')?.destroyed, false, `the slow one, round ${round}`);
      }
      t.equal(clients.get('stalled')?.destroyed, true);
      await until(() => stalled.seen.left);
      t.same([stalled.seen.taken, slow.seen, quick.seen.left], [[], { taken: [], left: false, ended: false }, false]);
      sockets.slow.resume();
      await until(() => slow.seen.taken.length === 1);
      quick.page('9-2');
      await until(() => quick.seen.taken.length === 2);
    });
  }
});

t.test('stall: the time counts from the last byte, not from the last check', async t => {
  const clock = fakeClock();
  const client = new Writable({ write: () => undefined });
  let taken = 0;
  const end = watchStall(client, clock, 30_000, () => taken);
  await clock.advance(20_000);
  taken++;
  await clock.advance(30_000);
  t.equal(client.destroyed, false);
  await clock.advance(1000);
  t.equal(client.destroyed, true);
  end();
});

t.test('stall: an ended watch disconnects no client', async t => {
  const clock = fakeClock();
  const client = new Writable();
  watchStall(client, clock, 30_000, () => 0)();
  await clock.advance(120_000);
  t.equal(client.destroyed, false);
});
