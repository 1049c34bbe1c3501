/** The fake driver: its controls and counters. */
import { type Device, type ScanCall, ScanError, type ScanOrder } from '@platen/core/plugin';
import t from 'tap';
import { fakeClock } from './fakeClock.js';
import { fakeDriver, type FakeDriver } from './fakeDriver.js';

const order: ScanOrder = {
  source: 'feeder',
  resolution: 300,
  colorMode: 'Color',
  duplexMode: 'Simplex',
  pageSize: 'A4',
  adjustments: [],
  maxPixels: 1e8,
};

function call() {
  const [stop, signal] = [new AbortController(), new AbortController()];
  return { stop, abandon: signal, call: { stop: stop.signal, signal: signal.signal } satisfies ScanCall };
}

async function begin(fake: FakeDriver, wishes: Partial<ScanOrder> = {}) {
  const { call: given, ...controls } = call();
  const session = await fake.open('fake-1', given);
  return { session, pages: session.scan({ ...order, ...wishes }, given)[Symbol.asyncIterator](), ...controls };
}

const settled = () => new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)));

t.test('fakeDriver: hold, keeps a sheet in the path until release, also after stop', async t => {
  const fake = fakeDriver({ sheets: 3 });
  fake.hold();
  const { pages, stop } = await begin(fake);
  let came = false;
  const first = pages.next().finally(() => (came = true));
  await fake.whenFed(1);
  stop.abort();
  await settled();
  t.equal(came, false);
  fake.release();
  t.match(await first, { done: false, value: { sheet: 1 } });
  t.match(await pages.next(), { done: true });
  t.equal(fake.remaining(), 2);
});

t.test('fakeDriver: opens, closes and scans, counted', async t => {
  const fake = fakeDriver({ sheets: 2 });
  const { session, pages } = await begin(fake, { resolution: 150 });
  await pages.next();
  await pages.return?.();
  await session.close();
  await session.close();
  for await (const _ of fake.devices(call().call));
  t.match(fake, { opened: 1, closed: 1, fed: 1, scans: 1, discoveries: 1, orders: [{ resolution: 150 }] });
});

t.test('fakeDriver: deaf, ignores stop and signal, and is free after close', async t => {
  const fake = fakeDriver({ deaf: true, sheets: 2, faults: { 1: 'hang' } });
  const { session, pages, stop, abandon } = await begin(fake);
  let came = false;
  void pages.next().finally(() => (came = true));
  stop.abort();
  abandon.abort(new ScanError('cancelled', 'gone'));
  await settled();
  t.equal(came, false);
  await session.close();
  fake.clearFaults();
  const again = await begin(fake);
  t.match(await again.pages.next(), { value: { sheet: 1 } });
});

t.test('fakeDriver: unplug, fails the running scan and notifies watchers', async t => {
  const fake = fakeDriver({ sheets: 2 });
  const { session, pages } = await begin(fake);
  const events: string[] = [];
  session.watch?.(event => events.push(event));
  const end = fake.watch?.(() => events.push('devices'));
  fake.hold();
  const first = pages.next();
  fake.unplug();
  await t.rejects(first, { code: 'device-offline' });
  t.match(await session.status(call().call), { online: false });
  t.same(events, ['offline', 'devices']);
  end?.();
  fake.plug();
  t.same(events, ['offline', 'devices']);
  t.match(await session.status(call().call), { online: true });
});

t.test('fakeDriver: paper sensor and button, notify watchers', async t => {
  const fake = fakeDriver();
  const { session } = await begin(fake);
  const events: string[] = [];
  const end = session.watch?.(event => events.push(event));
  fake.load(1);
  t.match(await session.status(call().call), { paper: 'loaded' });
  fake.setPaper('unknown');
  fake.detect('cover-open');
  fake.press();
  end?.();
  fake.press();
  t.same(events, ['paper', 'paper', 'button']);
  t.same(await session.status(call().call), { online: true, paper: 'unknown', detected: 'cover-open' });
});

t.test('fakeDriver: link, its program connects and disconnects', async t => {
  const fake = fakeDriver({ link: { connected: false, version: '2.1.0' }, sheets: 1 });
  const seen: boolean[] = [];
  fake.link?.onChange(connected => seen.push(connected));
  t.equal(fake.link?.peer, undefined);
  await t.rejects(fake.open('fake-1', call().call), { code: 'not-connected' });
  await t.rejects(fake.devices(call().call)[Symbol.asyncIterator]().next(), { code: 'not-connected' });
  fake.connect();
  t.same(fake.link?.peer, { version: '2.1.0' });
  fake.hold();
  const { pages } = await begin(fake);
  const first = pages.next();
  fake.disconnect();
  await t.rejects(first, { code: 'not-connected' });
  t.same(seen, [true, false]);
});

t.test('fakeDriver: slow listing, held until release or by a clock', async t => {
  const clock = fakeClock();
  const list = async (fake: FakeDriver): Promise<Device[]> => {
    const found: Device[] = [];
    for await (const device of fake.devices(call().call)) found.push(device);
    return found;
  };
  const held = fakeDriver({ discovery: 'held' });
  const slow = fakeDriver({ discovery: { clock, ms: 5000 }, devices: [{ id: 'a' }, { id: 'b', online: false }] });
  let came = 0;
  const listings = [held, slow].map(fake => list(fake).finally(() => came++));
  await clock.advance(4999);
  t.equal(came, 0);
  held.discover();
  await clock.advance(1);
  const [one, two] = await Promise.all(listings);
  t.match(one, [{ id: 'fake-1', online: true }]);
  t.match(two, [
    { id: 'a', online: true },
    { id: 'b', online: false },
  ]);
});

t.test('fakeDriver: turnsBacks, only on backs of a short-edge scan', async t => {
  const fake = fakeDriver({ sheets: 1, turnsBacks: true });
  const { pages } = await begin(fake, { duplexMode: 'DuplexShortEdge', adjustments: ['turn'] });
  t.equal((await pages.next()).value?.adjusted, undefined);
  t.same((await pages.next()).value?.adjusted, ['turn']);
});

t.test('fakeDriver: unknown device id, an error', async t => {
  t.throws(() => fakeDriver().load(1, 'fake-9'), { code: 'device-not-found' });
});
