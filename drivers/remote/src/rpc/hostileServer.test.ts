/** A server that breaks the protocol: the connection ends, every waiter is rejected, and nothing is allocated for its lies. */
import { fakeDriver, recordingLog } from '@platen/conformance';
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { remoteDriver, type RemoteDriver } from './remoteDriver.js';
import {
  call,
  clientHandshake,
  serverHandshake,
  linked,
  memoryPair,
  never,
  orderOf,
  peerOver,
  type Message,
} from './rpc.test.kit.js';

const device = {
  id: 'a',
  name: 'A',
  manufacturer: '',
  model: '',
  online: true,
  feeder: true,
  flatbed: false,
  duplex: true,
  feeding: 'perSheet',
};
const page = {
  kind: 'raw',
  sheet: 1,
  side: 'front',
  width: 10,
  height: 10,
  dpi: 75,
  pixels: 'gray8',
  stride: 10,
  bytes: 100,
};

/** A server whose every message the test sends, after its handshake. */
async function played() {
  const [near, far] = memoryPair();
  const log = recordingLog('info');
  const remote = remoteDriver(near, { id: 'remote', log });
  const peer = peerOver(far);
  await peer.hear();
  peer.say(serverHandshake);
  return { remote, peer, near, far, log };
}

/** What the client does until it waits for the server. */
const deeds: Readonly<Record<string, (remote: RemoteDriver) => Promise<unknown>>> = {
  devices: remote => remote.devices(call())[Symbol.asyncIterator]().next(),
  open: remote => remote.open('a', call()),
  status: async remote => (await remote.open('a', call())).status(call()),
  capabilities: async remote => (await remote.open('a', call())).capabilities(call()),
  async scan(remote) {
    const session = await remote.open('a', call());
    return session
      .scan(orderOf({ maxPixels: 1000 }), { signal: never(), stop: never() })
      [Symbol.asyncIterator]()
      .next();
  },
};

type Line = readonly [what: string, deed: keyof typeof deeds, headers: readonly Message[], message: RegExp];
const bytes = (length: number) => new Uint8Array(length);
const lines: readonly Line[] = [
  ['a message of an unknown kind', 'devices', [{ surprise: 1 }], /unknown kind: surprise/],
  ['a second handshake', 'devices', [serverHandshake], /unknown kind: hello/],
  ['bytes without a band', 'devices', [[{ item: 1, device }, bytes(5)]], /bytes that no message announced/],
  [
    'an answer to a call that was never made',
    'open',
    [{ answer: 7, device, watch: false }],
    /answer is not an integer from 1 to 1/,
  ],
  ['an invalid number', 'open', [{ answer: '1', device, watch: false }], /answer is not an integer/],
  ['an answer to an iterator', 'devices', [{ answer: 1 }], /does not get/],
  ['an end of a call', 'open', [{ end: 1 }], /does not get/],
  ['bytes for a listing', 'devices', [[{ band: 1 }, bytes(5)]], /does not get/],
  ['a device that is none', 'devices', [{ item: 1, device: 'A' }], /a device is not an object/],
  ['a device without a name', 'devices', [{ item: 1, device: { ...device, name: '' } }], /name is not a string/],
  [
    'a device whose feeding is unknown',
    'devices',
    [{ item: 1, device: { ...device, feeding: 'both' } }],
    /feeding is not one of/,
  ],
  [
    'a device with strange traits',
    'devices',
    [{ item: 1, device: { ...device, traits: { autoScanFailureLimit: -1 } } }],
    /autoScanFailureLimit/,
  ],
  [
    'two devices for one pull',
    'devices',
    [
      { item: 1, device },
      { item: 1, device },
    ],
    /not pulled/,
  ],
  ['a failure with an unknown code', 'open', [{ fail: 1, code: 'E_FAIL', message: '' }], /code is not one of/],
  ['a failure with a code of the service', 'open', [{ fail: 1, code: 'internal', message: '' }], /code is not one of/],
  ['a failure without words', 'open', [{ fail: 1, code: 'busy' }], /message is not a string/],
  ['a session without its device', 'open', [{ answer: 1, watch: true }], /a device is not an object/],
  ['an unknown event', 'open', [{ event: 'fire' }], /event is not one of/],
  ['an event of a session that there is not', 'open', [{ event: 'paper', session: 9 }], /session is not/],
  [
    'a status that is none',
    'status',
    [{ answer: 2, status: { online: 1, paper: 'empty' } }],
    /online is not a boolean/,
  ],
  [
    'capabilities that are none',
    'capabilities',
    [{ answer: 2, capabilities: { feeder: { resolutions: [0] } } }],
    /resolutions/,
  ],
  [
    'a list without end',
    'capabilities',
    [{ answer: 2, capabilities: { feeder: { resolutions: Array(2000).fill(1) } } }],
    /at most 1000/,
  ],
  [
    'a page over the order',
    'scan',
    [{ item: 2, ...page, width: 40, height: 40, stride: 40, bytes: 1600 }],
    /more than the 1000/,
  ],
  ['a page with a false length', 'scan', [{ item: 2, ...page, bytes: 2 ** 40 }], /bytes is not an integer/],
  ['a page with a false stride', 'scan', [{ item: 2, ...page, stride: 2 ** 40 }], /rows of/],
  ['a page with fewer bytes than pixels', 'scan', [{ item: 2, ...page, bytes: 99 }], /99 bytes are not/],
  ['a page of an unknown kind', 'scan', [{ item: 2, ...page, kind: 'vector' }], /kind is not one of/],
  [
    'an encoded page of another type',
    'scan',
    [{ item: 2, ...page, kind: 'encoded', mimeType: 'text/html' }],
    /mimeType/,
  ],
  ['a band before its page', 'scan', [[{ band: 2 }, bytes(5)]], /a band of no page/],
  ['a band without bytes', 'scan', [{ item: 2, ...page }, { band: 2 }], /a band has no bytes/],
  [
    'more bytes than were announced',
    'scan',
    [{ item: 2, ...page }, [{ band: 2 }, bytes(101)]],
    /more than the 100 bytes/,
  ],
  [
    'a page within a page',
    'scan',
    [
      { item: 2, ...page },
      { item: 2, ...page },
    ],
    /before the one before it is whole/,
  ],
  [
    'a page that was not pulled',
    'scan',
    [{ item: 2, ...page }, [{ band: 2 }, bytes(100)], { item: 2, ...page }],
    /not pulled/,
  ],
];

for (const [what, deed, headers, message] of lines) {
  t.test(`protocol: ${what} ends the connection`, async t => {
    const { remote, peer, near, log } = await played();
    const doing = deeds[deed]!(remote);
    doing.catch(() => undefined);
    if (deed === 'status' || deed === 'capabilities' || deed === 'scan') {
      await peer.hear();
      peer.say({ answer: 1, device, watch: false });
    }
    await peer.hear();
    peer.sayAll(headers);
    if (!near.closed) await new Promise(resolve => near.once('close', resolve));
    await new Promise(resolve => setImmediate(resolve));
    t.equal(log.lines.length, 1);
    t.match(log.lines[0], /^warn: The connection of the driver remote ended: /);
    t.match(log.lines[0], message);
    t.equal(remote.link.peer, undefined);
    if (!/pulled/.test(String(message))) await t.rejects(doing, { code: 'not-connected', message });
  });
}

const greetings: readonly [string, object | string, RegExp][] = [
  [
    'another protocol',
    { hello: { ...serverHandshake.hello, protocol: 3 } },
    /the other end \(version 9\.9\.9\) speaks protocol 3, this one \(version \d+\.\d+\.\d+\) protocol 2: install the same version/,
  ],
  ['one that looks for a driver itself', clientHandshake, /offers no driver, it looks for one itself/],
  ['a message that is not a handshake', { event: 'devices' }, /does not begin with a handshake/],
  ['a hello that is a text', { hello: 'hi' }, /hello is not an object/],
  ['a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n', /over the limit/],
];
for (const [what, greeting, message] of greetings) {
  t.test(`handshake: ${what} is rejected with a sentence`, async t => {
    const [near, far] = memoryPair();
    const log = recordingLog('info');
    const remote = remoteDriver(undefined, { id: 'remote', log });
    const attached = remote.attach(near);
    const waiting = remote.open('a', call());
    if (typeof greeting === 'string') far.write(greeting);
    else peerOver(far).say(greeting);
    await t.rejects(attached, { code: 'not-connected', message });
    await t.rejects(waiting, { code: 'not-connected', message }, 'also for a call that waits for the handshake');
    t.equal(log.lines.length, 1);
    t.equal(near.destroyed, true);
  });
}

t.test('handshake: a silent far end, attach rejects after handshakeMs', async t => {
  const [near] = memoryPair();
  const remote = remoteDriver(undefined, { id: 'remote', log: nullLog, handshakeMs: 5 });
  await t.rejects(remote.attach(near), { code: 'not-connected', message: /no handshake within 0.005 s/ });
});

t.test('client: an answer to an abandoned call is accepted once, a second one ends the connection', async t => {
  const { remote, peer, near } = await played();
  const opening = remote.open('a', call());
  await peer.hear();
  peer.say({ answer: 1, device, watch: false });
  const session = await opening;
  const abandon = new AbortController();
  const asking = session.status({ signal: abandon.signal });
  await peer.hear();
  abandon.abort(new Error('enough'));
  await t.rejects(asking, { message: 'enough' });
  t.same((await peer.hear())?.header, { abort: 2, code: 'cancelled', message: 'enough' });
  peer.say({ answer: 2, status: { online: true, paper: 'empty' } });
  const again = session.status(call());
  t.same((await peer.hear())?.header, { call: 3, verb: 'status', session: 1 });
  peer.say({ answer: 3, status: { online: true, paper: 'loaded', detected: 'paper-jam', more: 1 } });
  t.same(await again, { online: true, paper: 'loaded', detected: 'paper-jam' });
  peer.say({ answer: 2, status: { online: true, paper: 'empty' } });
  await new Promise(resolve => near.once('close', resolve));
});

t.test('client: an order or a device id that cannot be sent fails alone, the connection stays', async t => {
  const { remote } = await linked(fakeDriver({ sheets: 1 }));
  await t.rejects(remote.open('x'.repeat(100_000), call()), { code: 'device-not-found' });
  const session = await remote.open('fake-1', call());
  const odd = orderOf({ resolution: 0.5 });
  await t.rejects(session.scan(odd, { signal: never(), stop: never() })[Symbol.asyncIterator]().next(), {
    code: 'unsupported',
    message: /resolution/,
  });
  const unbounded = session.scan(orderOf({ maxPixels: Infinity }), { signal: never(), stop: never() });
  t.equal((await unbounded[Symbol.asyncIterator]().next()).value.sheet, 1);
  await remote.close();
});
