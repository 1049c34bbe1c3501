/** A driver at the far end, without scans: listings, sessions, events, inserts. */
import { fakeDriver } from '@platen/conformance';
import { ScanError, type Driver } from '@platen/core/plugin';
import t from 'tap';
import { call, linked, listOf, memoryPair, orderOf, settle } from './rpc.test.kit.js';

t.test('devices: each arrives as the far driver finds it, with all of its fields', async t => {
  const traits = { listsOcrLanguages: true, ignoresPageSize: false, oneAtATime: true, autoScanFailureLimit: 2 };
  const fake = fakeDriver({
    devices: [
      { traits, identities: ['uuid:1', 'escl:192.0.2.7/Office'] },
      { feeding: 'continuous', duplex: false },
    ],
  });
  const gate: { open(): void } = { open: () => undefined };
  const slow: Driver = {
    ...fake,
    async *devices(its) {
      for await (const device of fake.devices(its)) {
        yield device;
        await new Promise<void>(resolve => (gate.open = resolve));
      }
    },
  };
  const { remote } = await linked(slow);
  const listing = remote.devices(call())[Symbol.asyncIterator]();
  const [first, second] = await listOf(fake);
  t.same((await listing.next()).value, first);
  const next = listing.next();
  await settle();
  gate.open();
  t.same((await next).value, second);
  const end = listing.next();
  await settle();
  gate.open();
  t.equal((await end).done, true);
  await remote.close();
});

t.test('devices: an abandoned listing throws the reason of its signal', async t => {
  const { remote } = await linked(fakeDriver({ discovery: 'held' }));
  const abandon = new AbortController();
  const listing = remote.devices({ signal: abandon.signal })[Symbol.asyncIterator]().next();
  await settle();
  const reason = new ScanError('timeout', 'enough');
  abandon.abort(reason);
  t.equal(await listing.catch((error: unknown) => error), reason);
  await remote.close();
});

t.test('session: capabilities, status and device are those of the far session', async t => {
  const fake = fakeDriver({ adjusts: ['deskew'] });
  const { remote } = await linked(fake);
  const session = await remote.open('fake-1', call());
  await session.close();
  const own = await fake.open('fake-1', call());
  const capabilities = await own.capabilities(call());
  await own.close();
  const again = await remote.open('fake-1', call());
  t.same(await again.capabilities(call()), capabilities);
  fake.load(1);
  fake.detect('cover-open');
  t.same(await again.status(call()), { online: true, paper: 'loaded', detected: 'cover-open' });
  await t.rejects(remote.open('fake-1', call()), { code: 'busy', message: 'Fake scanner is open already' });
  await t.rejects(remote.open('none', call()), { code: 'device-not-found' });
  fake.unplug();
  await t.rejects(
    again.capabilities(call()).then(() =>
      again
        .scan(orderOf(), { ...call(), stop: call().signal })
        [Symbol.asyncIterator]()
        .next(),
    ),
    { code: 'device-offline' },
  );
  await remote.close();
});

t.test('open: an abandoned one rejects when the device is closed again', async t => {
  const fake = fakeDriver();
  const slow: Driver = {
    ...fake,
    async open(id) {
      await settle(5);
      return fake.open(id, call());
    },
  };
  const { remote } = await linked(slow);
  const abandon = new AbortController();
  const opening = remote.open('fake-1', { signal: abandon.signal });
  await new Promise(resolve => setImmediate(resolve));
  const reason = new ScanError('cancelled', 'enough');
  abandon.abort(reason);
  t.equal(await opening.catch((error: unknown) => error), reason);
  t.equal(fake.opened, fake.closed);
  const session = await remote.open('fake-1', call());
  await session.close();
  await remote.close();
});

t.test("session.watch: every listener gets the far session's events, and none after its end", async t => {
  const fake = fakeDriver();
  const { remote, log } = await linked(fake);
  const session = await remote.open('fake-1', call());
  const [first, second]: string[][] = [[], []];
  const ends = [
    session.watch!(event => {
      first!.push(event);
      throw new Error('a listener is broken');
    }),
    session.watch!(event => void second!.push(event)),
  ];
  await session.status(call());
  fake.load(1);
  await settle();
  fake.press();
  await settle();
  ends[0]!();
  ends[0]!();
  fake.unplug();
  await settle();
  ends[1]!();
  await session.status(call());
  fake.press();
  await settle();
  t.same(first, ['paper', 'button']);
  t.same(second, ['paper', 'button', 'offline']);
  t.same(log.lines, Array(2).fill('error: A listener failed: a listener is broken'));
  await remote.close();
});

t.test('session.watch: absent if the far session has none', async t => {
  const fake = fakeDriver();
  const quiet: Driver = {
    ...fake,
    async open(id, its) {
      const { watch: _watch, ...session } = await fake.open(id, its);
      return session;
    },
  };
  const { remote } = await linked(quiet);
  t.equal((await remote.open('fake-1', call())).watch, undefined);
  await remote.close();
});

t.test('watch: called back when scanners come and go at the far end', async t => {
  const fake = fakeDriver();
  const { remote } = await linked(fake);
  let changes = 0;
  const end = remote.watch!(() => changes++);
  fake.unplug();
  await settle();
  t.equal(changes, 1);
  t.equal((await listOf(remote))[0]?.online, false);
  end();
  fake.plug();
  await settle();
  t.equal(changes, 1);
  await remote.close();
});

t.test('insert: present while the far driver has it, and carries the bytes unchanged', async t => {
  const came: [string, Buffer][] = [];
  const taking: Driver = {
    ...fakeDriver(),
    async insert(deviceId, image) {
      if (image.length === 0) throw new ScanError('unsupported', 'What was inserted is empty.');
      came.push([deviceId, Buffer.from(image)]);
    },
  };
  const { remote, far } = await linked(taking, memoryPair(), { near: { bandBytes: 1000 } });
  const images = [2500, 1, 1000].map((length, n) => Buffer.alloc(length, n + 1));
  await Promise.all([...images.map(image => remote.insert!('a', image)), remote.ping(call())]);
  t.same(
    came.map(([id, { length }]) => [id, length]),
    [
      ['a', 2500],
      ['a', 1],
      ['a', 1000],
    ],
  );
  t.ok(came.every(([, image], i) => image.equals(images[i]!)));
  await t.rejects(remote.insert!('a', new Uint8Array()), {
    code: 'unsupported',
    message: 'What was inserted is empty.',
  });
  far.destroy();
  await settle();
  t.equal(remote.insert, undefined);
  const { remote: other } = await linked(fakeDriver());
  t.equal(other.insert, undefined);
  await other.close();
});
