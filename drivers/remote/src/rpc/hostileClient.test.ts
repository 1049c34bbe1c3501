/** A client that breaks the protocol: the connection ends, its sessions are closed, and other clients are not affected. */
import { fakeDriver, recordingLog } from '@platen/conformance';
import t from 'tap';
import {
  call,
  clientHandshake,
  serverHandshake,
  linked,
  memoryPair,
  orderOf,
  peerOver,
  settle,
  type Message,
} from './rpc.test.kit.js';
import { serveDriver } from './serveDriver.js';

function served(fake = fakeDriver({ sheets: 5 })) {
  const [near, far] = memoryPair();
  const log = recordingLog('info');
  const over = serveDriver(fake, far, { log });
  return { peer: peerOver(near), over, fake, near, log };
}

const order = orderOf();
const open = { call: 1, verb: 'open', device: 'fake-1' };
const bytes = (length: number) => new Uint8Array(length);
const lines: readonly [what: string, headers: readonly Message[], message: RegExp][] = [
  ['a message of an unknown kind', [{ run: 'sh' }], /unknown kind: run/],
  ['an unknown verb', [{ call: 1, verb: 'constructor' }], /no verb constructor/],
  ['a call without a verb', [{ call: 1 }], /verb is not a string/],
  ['a number used twice', [open, { call: 1, verb: 'ping' }], /call is not an integer from 2/],
  ['an invalid number', [{ call: -1, verb: 'ping' }], /call is not an integer/],
  ['a device that is not a string', [{ call: 1, verb: 'open', device: {} }], /device is not a string/],
  ['a session that was never opened', [{ call: 1, verb: 'status', session: 1 }], /session is not an integer/],
  ['a pull that is too early', [{ pull: 1 }], /pull is not an integer/],
  [
    'a pull of what has nothing to pull',
    [{ call: 1, verb: 'insert', device: 'a', bytes: 3 }, { pull: 1 }],
    /nothing to pull/,
  ],
  [
    'an abort with an unknown code',
    [open, { abort: 1, code: 'busy', message: '' }],
    /code is not one of timeout, cancelled/,
  ],
  ['an order that is none', [open, { call: 2, verb: 'scan', session: 1, order: [] }], /an order is not an object/],
  [
    'an order with an unknown word',
    [open, { call: 2, verb: 'scan', session: 1, order: { ...order, colorMode: 'Sepia' } }],
    /colorMode is not one of/,
  ],
  [
    'an order of half a sheet',
    [open, { call: 2, verb: 'scan', session: 1, order: { ...order, sheets: 0.5 } }],
    /sheets is not/,
  ],
  [
    'an order without a bound',
    [open, { call: 2, verb: 'scan', session: 1, order: { ...order, maxPixels: null } }],
    /maxPixels is not/,
  ],
  ['bytes without a band', [[{ call: 1, verb: 'ping' }, bytes(9)]], /bytes that no message announced/],
  ['a band for a call that takes none', [open, [{ band: 1 }, bytes(9)]], /takes no bytes/],
  ['an image that is too large', [{ call: 1, verb: 'insert', device: 'a', bytes: 2 ** 40 }], /bytes is not an integer/],
  [
    'more of an image than was announced',
    [{ call: 1, verb: 'insert', device: 'a', bytes: 3 }, [{ band: 1 }, bytes(4)]],
    /more than the 3 bytes/,
  ],
  [
    'two images at once',
    [1, 2].map(id => ({ call: id, verb: 'insert', device: 'a', bytes: 3 })),
    /two images come at once/,
  ],
  [
    'a flood of calls',
    [open, ...Array.from({ length: 1001 }, (_, i) => ({ call: i + 2, verb: 'scan', session: 1, order }))],
    /more than 1000 calls/,
  ],
];

for (const [what, headers, message] of lines) {
  t.test(`protocol: ${what} ends the connection`, async t => {
    const { peer, over, fake, log } = served();
    peer.say(clientHandshake);
    peer.sayAll(headers);
    await over;
    t.equal(log.lines.length, 1);
    t.match(log.lines[0], /^warn: The connection to the driver fake ended: /);
    t.match(log.lines[0], message);
    t.equal(fake.closed, fake.opened, 'what it had opened is closed');
    t.equal(fake.fed, 0);
  });
}

for (const [what, greeting, message] of [
  [
    'another protocol',
    { hello: { ...clientHandshake.hello, protocol: 0 } },
    /speaks protocol 0.* protocol 2: install the same version/,
  ],
  ['another driver', serverHandshake, /looks for no driver, it offers one itself/],
  ['a call before the handshake', open, /does not begin with a handshake/],
] as const) {
  t.test(`handshake: ${what} is rejected with a sentence`, async t => {
    const { peer, over, fake, log } = served();
    peer.say(greeting);
    await over;
    t.match(log.lines, [message]);
    t.equal(fake.opened, 0);
    t.ok((await peer.hear())?.header.hello, 'the client learns which version is wanted');
  });
}

t.test('handshake: a peer that sends garbage or nothing is disconnected', async t => {
  const [near, far] = memoryPair();
  const log = recordingLog('info');
  const over = serveDriver(fakeDriver(), far, { log });
  near.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await over;
  t.match(log.lines, [/over the limit/]);
  const [, silent] = memoryPair();
  await serveDriver(fakeDriver(), silent, { log, handshakeMs: 5 });
  t.equal(silent.destroyed, true);
});

t.test('serveDriver: a client that does not read delays no other client', async t => {
  const fake = fakeDriver({ devices: [{}, {}], sheets: 2, page: { width: 1000, height: 1000, pixels: 'gray8' } });
  const { peer, over, near } = served(fake);
  peer.say(clientHandshake);
  peer.say(open);
  peer.say({ call: 2, verb: 'scan', session: 1, order });
  peer.say({ pull: 2 });
  await settle();
  t.equal(fake.fed, 1, 'its page is still in the stream');
  fake.press();
  const other = await linked(fake);
  const session = await other.remote.open('fake-2', call());
  t.equal((await session.status(call())).paper, 'loaded');
  await other.remote.close();
  near.destroy();
  await over;
  t.equal(fake.closed, 2);
});
