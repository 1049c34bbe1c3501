/** An answer that cannot be sent is broken off, and ends nothing else. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { fakeClock } from '@platen/conformance';
import fastify from 'fastify';
import t, { type Test } from 'tap';
import { createClients } from './clients.js';
import { limits } from './eventStream.test.kit.js';
import { isReceived, RECEIPT_MS, send } from './send.js';

t.test('send: a head that Node refuses, the answer is broken off', async t => {
  const app = fastify();
  t.teardown(() => app.close());
  let sent: Promise<boolean> | undefined;
  app.get('/', (_request, reply) => {
    sent = send(reply.header('content-type', 'image/png\n'), [], createClients(limits, fakeClock()));
    sent.catch(() => reply.raw.destroy());
  });
  await t.rejects(app.inject('/'));
  t.equal(await sent, false);
});

/** Both ends of a connection: the service's, which wrote more than the client reads, and the client's. */
async function connected(t: Test): Promise<{ own: Socket; client: Socket }> {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.teardown(() => client.destroy());
  const [own] = (await once(server, 'connection')) as [Socket];
  t.teardown(() => own.destroy());
  // As Node's server does: it reads, and handles errors.
  own.on('error', () => undefined).resume();
  await new Promise(resolve => own.write(Buffer.alloc(1_000_000), resolve));
  return { own, client };
}

t.test('isReceived: the client closes in order, breaks off, or stays', async t => {
  for (const [how, expected] of [
    ['reads all and closes', true],
    ['hangs up with bytes unread', false],
    ['hung up before', false],
    ['stays', true],
  ] as const) {
    const { own, client } = await connected(t);
    const clock = fakeClock();
    const listeners = own.listenerCount('close');
    const closed = new Promise(resolve => own.once('close', resolve));
    if (how === 'hung up before') {
      client.destroy();
      await closed;
    }
    const received = isReceived(own, clock);
    if (how === 'reads all and closes') client.resume().end();
    else if (how === 'hangs up with bytes unread') client.destroy();
    else if (how === 'stays') await clock.advance(RECEIPT_MS);
    t.equal(await received, expected, how);
    if (how === 'stays') t.equal(own.listenerCount('close'), listeners + 1, 'only the listener of this test');
  }
});
