/** Damaged mDNS packets, through the library that reads them: endpoints that can be called, and limited memory. */
import type { Socket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { damaged, fuzzed } from '@platen/conformance/fuzz';
import { readDevice } from '@platen/core/wire';
import * as fc from 'fast-check';
import makeMdns, { type ResponsePacket } from 'multicast-dns';
import t from 'tap';
import { deviceOf } from './discoveredDevice.js';
import { announcedEndpoint } from './endpoint.js';
import { createRecordCache } from './recordCache.js';

const RUNS = 500;
/** More than the cache keeps of one sender. */
const MOST_INSTANCES = 100;

/** A socket without a network: what is sent is kept. */
const sent: Buffer[] = [];
const socket = Object.assign(new EventEmitter(), {
  send: (message: Buffer, _from: number, _length: number, _port: number, _address: string, done: () => void) => {
    sent.push(Buffer.from(message));
    done();
  },
  close: () => undefined,
});
const mdns = makeMdns({ socket: socket as unknown as Socket, bind: false as unknown as string, multicast: false });
t.teardown(() => mdns.destroy());

const type = '_uscan._tcp.local';
const records = (name: string): NonNullable<ResponsePacket['answers']> => [
  { name: type, type: 'PTR', ttl: 120, data: `${name}.${type}` },
  { name: `${name}.${type}`, type: 'SRV', ttl: 120, flush: true, data: { target: 'a.local', port: 80 } },
  { name: `${name}.${type}`, type: 'TXT', ttl: 120, data: ['rs=eSCL', 'ty=Acme 1', 'is=adf', 'uuid=abcdef00-1'] },
  { name: 'a.local', type: 'A', ttl: 120, flush: true, data: '192.0.2.7' },
  { name: 'a.local', type: 'AAAA', ttl: 120, data: '2001:db8::1' },
];
const packets = await Promise.all(
  ['Office', 'Büro.2', 'x'.repeat(60)].map(
    name => new Promise(done => mdns.respond({ answers: records(name) }, () => done(name))),
  ),
).then(() => sent);

t.test('mDNS: damaged packets, none or endpoints that core accepts, and questions that can be sent', async t => {
  t.equal(packets.length, 3);
  const some = fc.array(damaged(packets, ['\xc0\x0c', '\x00', '.', 'rs=/../', 'rs=//', 'uuid=']), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(some, fc.nat(200_000)), { minLength: 1, maxLength: 4 }), heard => {
      const cache = createRecordCache();
      let now = 1000;
      const receive = (packet: ResponsePacket): void => cache.receive(packet, '192.0.2.7', now);
      mdns.on('response', receive);
      for (const [bytes, ms] of heard) {
        for (const each of bytes) socket.emit('message', each, { address: '192.0.2.7', port: 5353 });
        now += ms;
        const instances = cache.instances(now);
        if (instances.length > MOST_INSTANCES) throw new Error(`${instances.length} instances`);
        for (const each of instances) {
          const endpoint = announcedEndpoint(each);
          if (endpoint) readDevice(deviceOf({ endpoint }, 'continuous'));
        }
        mdns.query({ questions: cache.questions(now) });
        if (Number.isNaN(cache.nextDue())) throw new Error('the next question is never due');
      }
      mdns.off('response', receive);
      sent.length = packets.length;
    }),
    fuzzed(RUNS),
  );
});
