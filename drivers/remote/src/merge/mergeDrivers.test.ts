/** Several drivers as one: a faulty driver does not affect the others. */
import { fakeDriver, recordingLog, type FakeDriver } from '@platen/conformance';
import { nullLog, ScanError, type Device, type Driver } from '@platen/core/plugin';
import t from 'tap';
import { call, linked, listOf, never, orderOf, settle } from '../rpc/rpc.test.kit.js';
import { mergeDrivers } from './mergeDrivers.js';

const idsOf = (devices: readonly Device[]): string[] => devices.map(device => device.id);

/** A driver whose listing is the test's. */
function listing(id: string, devices: Driver['devices']): Driver {
  return { ...fakeDriver({ id }), devices };
}

t.test('devices: those of all drivers, with the ids of their drivers as prefix', async t => {
  const merged = mergeDrivers('all', [fakeDriver({ id: 'a', devices: [{}, {}] }), fakeDriver({ id: 'b' })], nullLog);
  t.equal(merged.id, 'all');
  t.same(idsOf(await listOf(merged)).sort(), ['a/fake-1', 'a/fake-2', 'b/fake-1']);
  t.notOk('link' in merged);
});

t.test('devices: a slow driver does not delay the devices of the others', async t => {
  const slow = fakeDriver({ id: 'slow', discovery: 'held' });
  const devices = mergeDrivers('all', [slow, fakeDriver({ id: 'b' })], nullLog)
    .devices(call())
    [Symbol.asyncIterator]();
  t.equal((await devices.next()).value?.id, 'b/fake-1');
  const next = devices.next();
  slow.discover();
  t.equal((await next).value?.id, 'slow/fake-1');
  t.ok((await devices.next()).done);
});

t.test('devices: a driver fails, its known devices stay listed and the log says why', async t => {
  const log = recordingLog('info');
  let fails = true;
  const inner = fakeDriver({ id: 'bad', devices: [{}, {}] });
  const bad = listing('bad', async function* (asked) {
    if (!fails) return yield* inner.devices(asked);
    for await (const device of inner.devices(asked)) {
      yield { ...device, online: false };
      throw new ScanError('driver-failed', 'its bus is gone');
    }
  });
  const merged = mergeDrivers('all', [bad, fakeDriver({ id: 'good' })], log);
  t.same(idsOf(await listOf(merged)).sort(), ['bad/fake-1', 'good/fake-1'], 'at first there is nothing known');
  fails = false;
  t.equal((await listOf(merged)).length, 3);
  t.equal(log.lines.length, 1);
  fails = true;
  const last = await listOf(merged);
  t.same(idsOf(last).sort(), ['bad/fake-1', 'bad/fake-2', 'good/fake-1']);
  t.equal(
    last.find(device => device.id === 'bad/fake-1')?.online,
    false,
    'devices that it listed before it failed count',
  );
  t.same(log.lines, Array<string>(2).fill('warn: The driver bad could not list all of its scanners: its bus is gone'));
});

t.test('devices: a malformed device at the far end is skipped, the others are listed', async t => {
  const bad = listing('bad', async function* (asked) {
    for (const wrong of [{ name: '' }, { feeding: 'both' as 'perSheet' }, {}]) {
      for await (const device of fakeDriver().devices(asked)) yield { ...device, ...wrong };
    }
  });
  const { remote, log } = await linked(mergeDrivers('all', [bad, fakeDriver({ id: 'good' })], nullLog));
  t.same(idsOf(await listOf(remote)).sort(), ['bad/fake-1', 'good/fake-1']);
  await listOf(remote);
  t.match(log.lines.splice(0), [
    /^warn: A scanner of the driver all \(bad\/fake-1\) is skipped: name is not a string /,
    /^warn: A scanner of the driver all \(bad\/fake-1\) is skipped: feeding is not one of /,
  ]);
  await remote.close();
});

t.test('devices: all drivers fail, the first failure is thrown', async t => {
  const failing = (id: string): Driver =>
    listing(id, () => {
      throw new ScanError('device-offline', `${id} is away`);
    });
  await t.rejects(listOf(mergeDrivers('all', [failing('a'), failing('b')], nullLog)), { code: 'device-offline' });
  const log = recordingLog('info');
  await t.rejects(listOf(mergeDrivers('all', [failing('a')], log)), { message: 'a is away' });
  t.same(log.lines, [], 'a thrown error is not also logged');
  t.same(await listOf(mergeDrivers('all', [], nullLog)), []);
});

t.test('devices: an abandoned or left listing ends the listing of every driver', async t => {
  const seen: string[] = [];
  const hanging = (id: string): Driver =>
    listing(id, async function* ({ signal }) {
      yield (await listOf(fakeDriver()))[0]!;
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      seen.push(`${id} ${(signal.reason as ScanError).code}`);
      signal.throwIfAborted();
    });
  const abandon = new AbortController();
  const merged = mergeDrivers('all', [hanging('a'), hanging('b')], nullLog);
  const devices = merged.devices({ signal: abandon.signal })[Symbol.asyncIterator]();
  await devices.next();
  await devices.next();
  const third = devices.next();
  const reason = new ScanError('timeout', 'too long');
  abandon.abort(reason);
  await t.rejects(third, reason);
  await settle();
  t.same(seen.splice(0), ['a timeout', 'b timeout']);
  await t.rejects(
    merged.devices({ signal: abandon.signal })[Symbol.asyncIterator]().next(),
    reason,
    'before it begins',
  );

  for await (const device of merged.devices(call())) {
    t.equal(device.id, 'a/fake-1');
    break;
  }
  await settle();
  t.same(seen, ['a cancelled'], 'the one that was at work; the other one waited with its device in hand');
});

t.test('open, scan, insert, watch: go to the driver of the device', async t => {
  const [a, b] = [fakeDriver({ id: 'a' }), fakeDriver({ id: 'b', sheets: 1 })];
  const inserted: [string, number][] = [];
  const b2: Driver = Object.assign(b, {
    insert: async (id: string, image: Uint8Array) => void inserted.push([id, image.length]),
  });
  const merged = mergeDrivers('all', [a, b2], nullLog);
  const session = await merged.open('b/fake-1', call());
  t.equal(session.device.id, 'b/fake-1');
  t.same([a.opened, b.opened], [0, 1]);
  const events: string[] = [];
  const end = session.watch?.(event => events.push(event));
  b.press();
  end?.();
  b.press();
  t.same(events, ['button']);
  let pages = 0;
  for await (const page of session.scan(orderOf(), { signal: never(), stop: never() })) pages += page.sheet;
  t.equal(pages, 1);
  t.match(await session.status(call()), { paper: 'empty' });
  t.ok((await session.capabilities(call())).feeder);
  await session.close();
  t.equal(b.closed, 1);

  await merged.insert?.('b/fake-1', new Uint8Array(3));
  t.same(inserted, [['fake-1', 3]]);
  await t.rejects(merged.insert!('a/fake-1', new Uint8Array()), { code: 'unsupported', message: /The driver a / });
  for (const id of ['c/fake-1', 'fake-1', '', '/'])
    await t.rejects(merged.open(id, call()), { code: 'device-not-found', message: /a, b has it/ }, id);
  await t.rejects(merged.open('a/fake-9', call()), { code: 'device-not-found' });
});

t.test('insert: present while one of the drivers has it', async t => {
  const inner: { insert?: Driver['insert'] } & FakeDriver = fakeDriver({ id: 'a' });
  const merged = mergeDrivers('all', [inner], nullLog);
  t.equal(merged.insert, undefined);
  inner.insert = async () => undefined;
  t.type(merged.insert, 'function');
  delete (inner as { insert?: unknown }).insert;
  t.equal(merged.insert, undefined);
});

t.test('watch: hears every driver, one that cannot watch is logged', async t => {
  const log = recordingLog('info');
  const [a, b] = [fakeDriver({ id: 'a' }), fakeDriver({ id: 'b' })];
  const deaf: Driver = {
    ...fakeDriver({ id: 'deaf' }),
    watch() {
      throw new Error('it has no ears');
    },
  };
  let changes = 0;
  const end = mergeDrivers('all', [deaf, a, b], log).watch?.(() => changes++);
  a.unplug();
  b.unplug();
  t.equal(changes, 2);
  end?.();
  end?.();
  a.plug();
  t.equal(changes, 2);
  t.same(log.lines, ['warn: The driver deaf could not watch for scanners: it has no ears']);
  const { watch: _, ...mute } = fakeDriver({ id: 'mute' });
  t.notOk(mergeDrivers('all', [mute], log).watch);
});

t.test('close: closes every driver, even if one fails', async t => {
  const closed: string[] = [];
  const closing = (id: string, fails = false): Driver => ({
    ...fakeDriver({ id }),
    async close() {
      closed.push(id);
      if (fails) throw new Error(`${id} is stuck`);
    },
  });
  await t.rejects(mergeDrivers('all', [closing('a', true), closing('b')], nullLog).close(), { message: 'a is stuck' });
  t.same(closed, ['a', 'b']);
});

t.test('mergeDrivers: equal ids are rejected, odd ones are encoded', async t => {
  t.throws(() => mergeDrivers('all', [fakeDriver({ id: 'a' }), fakeDriver({ id: 'a' })], nullLog), {
    message: 'two drivers of all have the same id',
  });
  const odd = mergeDrivers(
    'all',
    [fakeDriver({ id: 'a/b' }), fakeDriver({ id: 'a', devices: [{ id: 'b/fake-1' }] }), fakeDriver({ id: 'a%2Fb' })],
    nullLog,
  );
  const ids = idsOf(await listOf(odd));
  t.equal(new Set(ids).size, 3, ids.join(' '));
  for (const id of ids) t.equal((await odd.open(id, call())).device.id, id);
});

t.test('mergeDrivers: served over a connection, the devices keep their prefix', async t => {
  const far = mergeDrivers('far', [fakeDriver({ id: 'a', sheets: 2 }), fakeDriver({ id: 'b' })], nullLog);
  const { remote } = await linked(far);
  t.same(idsOf(await listOf(remote)).sort(), ['a/fake-1', 'b/fake-1']);
  const session = await remote.open('a/fake-1', call());
  const sheets: number[] = [];
  for await (const page of session.scan(orderOf(), { signal: never(), stop: never() })) sheets.push(page.sheet);
  t.same(sheets, [1, 2]);
  await remote.close();
});
