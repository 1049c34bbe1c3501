/** deviceList: what is kept about devices between listings. */
import { mock } from 'node:test';
import { recordingLog } from '@platen/conformance';
import { ScanError, type Device } from '@platen/core/plugin';
import t from 'tap';
import { deviceList, type Found, type Question } from './deviceList.js';

const { signal } = new AbortController();

/** The clock by which listings are fresh: a busy machine may take longer between two listings than the first one took. */
let now = 0;
const clock = mock.method(performance, 'now', () => now);
t.teardown(() => clock.mock.restore());

const found = (id: string, more: Partial<Device> = {}): Found => ({
  device: {
    id,
    name: id,
    manufacturer: '',
    model: '',
    online: true,
    feeder: true,
    flatbed: false,
    duplex: false,
    feeding: 'perSheet',
    ...more,
  },
});

function rig(restMs = 60_000) {
  const log = recordingLog('info');
  const inUse = new Set<string>();
  const closing = new AbortController();
  const list = deviceList({ log, restMs, openings: { isInUse: id => inUse.has(id), closed: closing.signal } });
  const asked: string[] = [];
  /** @param fails the code with which asking the device fails */
  const question = (id: string, fails?: 'busy' | 'unsupported' | 'device-offline'): Question<Found> => ({
    async ask() {
      asked.push(id);
      if (fails) throw new Error('no');
      return found(id, { duplex: true });
    },
    explain: () => new ScanError(fails ?? 'driver-failed', 'It refuses.'),
    guess: ({ code }, before) =>
      code === 'unsupported' ? undefined : { device: { ...(before ?? found(id)).device, online: code === 'busy' } },
  });
  return { list, log, inUse, closing, asked, question };
}

async function all(items: AsyncIterable<Found>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { device } of items)
    ids.push(`${device.id}${device.online ? '' : ' offline'}${device.duplex ? ' duplex' : ''}`);
  return ids;
}

/** A look slow enough for its listing to stay fresh. */
const slow = (counts: { looks: number }, ...ids: string[]) =>
  async function* () {
    counts.looks++;
    now += 20;
    for (const id of ids) yield found(id);
  };

t.test('deviceList: a fresh listing, not repeated, returns what is known now', async t => {
  const { list } = rig();
  const counts = { looks: 0 };
  t.equal(list.before(), undefined);
  t.same(await all(list.list(signal, slow(counts, 'a', 'b'))), ['a', 'b']);
  list.learn(found('b', { duplex: true }));
  t.same(await all(list.list(signal, slow(counts, 'c'))), ['a', 'b duplex']);
  t.same(
    list.before()?.map(({ device }) => device.id),
    ['a', 'b'],
  );
  t.equal(counts.looks, 1);
  list.lookAgain();
  t.same(await all(list.list(signal, slow(counts, 'c'))), ['c']);
  t.equal(counts.looks, 2);
});

t.test('deviceList: a change during a listing, not fresh; a failed listing keeps the last one', async t => {
  const { list } = rig();
  const counts = { looks: 0 };
  const changing = async function* () {
    yield* slow(counts, 'a')();
    list.lookAgain();
  };
  t.same(await all(list.list(signal, changing)), ['a']);
  const failing = async function* () {
    yield* slow(counts, 'b')();
    throw new Error('no');
  };
  await t.rejects(all(list.list(signal, failing)), { message: 'no' });
  t.same(
    list.before()?.map(({ device }) => device.id),
    ['a'],
  );
  t.equal(counts.looks, 2);
  const abandoned = AbortSignal.abort(new ScanError('timeout', 'late'));
  await t.rejects(all(list.list(abandoned, slow(counts, 'c'))), { code: 'timeout' });
});

t.test('deviceList: a device, asked once; if offline, asked again after its rest', async t => {
  const { list, asked, question } = rig(0);
  t.match(await list.ask('a', question('a')), { device: { duplex: true } });
  t.match(await list.ask('a', question('a')), { device: { duplex: true } });
  t.same(asked, ['a']);
  t.match(list.known('a'), { device: { duplex: true } });
  list.answered('a', false);
  t.match(list.known('a'), { device: { online: false } });
  await list.ask('a', question('a'));
  t.same(asked, ['a', 'a']);
  list.forget('a');
  t.equal(list.seen('a'), undefined);
});

t.test('deviceList: a device that cannot be asked, rests with a guess until a change is reported', async t => {
  const { list, log, asked, question } = rig();
  t.match(await list.ask('a', question('a', 'busy')), { device: { online: true, duplex: false } });
  t.same(log.lines, ['warn: It refuses. Until it can be opened, its capabilities are a guess.']);
  t.equal(list.known('a'), undefined);
  t.match(list.seen('a'), { device: { online: true } });
  await list.ask('a', question('a'));
  t.same(asked, ['a'], 'it rests');
  list.lookAgain('b');
  await list.ask('a', question('a'));
  t.same(asked, ['a'], 'the reported change was of another device');
  list.lookAgain('a');
  t.match(await list.ask('a', question('a')), { device: { duplex: true } });
  list.answered('a', false);
  list.lookAgain();
  t.match(await list.ask('a', question('a', 'device-offline')), { device: { online: false, duplex: true } });
  t.match(log.lines[1], /capabilities are its last answer/);
  t.equal(await list.ask('b', question('b', 'unsupported')), undefined);
  t.equal(await list.ask('b', question('b')), undefined, 'not listed while it rests');
});

t.test('deviceList: no answer at opening, offline and resting; the next listing looks', async t => {
  const { list, asked, question } = rig();
  const counts = { looks: 0 };
  list.suppose(found('a'));
  await all(list.list(signal, slow(counts, 'a')));
  list.answered('a', false);
  list.answered('nobody', false);
  t.match(await list.ask('a', question('a')), { device: { online: false } });
  t.same(asked, []);
  await all(list.list(signal, slow(counts, 'a')));
  t.equal(counts.looks, 2);
  list.answered('a', true);
  t.match(list.seen('a'), { device: { online: true } });
});

t.test('deviceList: a device in use is not asked; two callers share one answer; letGo waits for it', async t => {
  const { list, inUse, asked, question } = rig();
  inUse.add('a');
  t.equal(await list.ask('a', question('a')), undefined);
  inUse.clear();
  const both = [list.ask('a', question('a')), list.ask('a', question('a'))];
  let isLetGo = false;
  const letGo = list.letGo('a').then(() => (isLetGo = true));
  t.notOk(isLetGo);
  await Promise.all(both);
  await letGo;
  t.same(asked, ['a']);
  await list.letGo('nobody');
});

t.test('deviceList: closed driver, no log line about a device that cannot be asked', async t => {
  const { list, log, closing, question } = rig();
  closing.abort();
  await list.ask('a', question('a', 'busy'));
  t.same(log.lines, []);
});
