/** An answer that cannot be sent is broken off, and ends nothing else. */
import { fakeClock } from '@platen/conformance';
import fastify from 'fastify';
import t from 'tap';
import { createClients } from './clients.js';
import { limits } from './eventStream.test.kit.js';
import { send } from './send.js';

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
