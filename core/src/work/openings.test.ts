/** Devices that are opened, abandoned and closed: no resource is left, and the device can be opened again. */
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import type { Session } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { createOpenings, type OpenedResource, type Opening } from './openings.js';

const never = new AbortController().signal;

function helper() {
  const said: string[] = [];
  return {
    said,
    kill: (why: string) => void said.push(`kill: ${why}`),
    close: async () => void said.push('close'),
  } satisfies OpenedResource & { said: string[] };
}

function sessionOf({ onClose }: Opening, name = 'Desk'): Session {
  const device = {
    id: 'a',
    name,
    manufacturer: '',
    model: '',
    online: true,
    feeder: true,
    flatbed: false,
    duplex: false,
    feeding: 'perSheet',
  } as const;
  return { device, close: onClose } as Partial<Session> as Session;
}

t.test('openings: device open or opening, busy; closed, free', async t => {
  const openings = createOpenings('the tests');
  const its = helper();
  const opening = openings.open('a', { signal: never }, async each => (each.use(its), sessionOf(each)));
  t.ok(openings.isInUse('a'));
  const session = await opening;
  await t.rejects(
    openings.open('a', { signal: never }, async each => sessionOf(each)),
    { code: 'busy', message: '"Desk" is already open.' },
  );
  t.equal(openings.sessions.get('a'), session);
  await session.close();
  t.same([openings.isInUse('a'), openings.sessions.size, its.said], [false, 0, ['close']]);
});

t.test('openings: open fails, its helper ends and a retry is possible', async t => {
  const openings = createOpenings('the tests');
  const its = helper();
  await t.rejects(
    openings.open('a', { signal: never }, async each => {
      each.use(its);
      throw new ScanError('device-offline', 'It is switched off.');
    }),
    { code: 'device-offline' },
  );
  t.same([openings.isInUse('a'), its.said], [false, ['close']]);
});

t.test('openings: abandoned, its helper is killed and a late session is closed', async t => {
  const openings = createOpenings('the tests');
  const its = helper();
  const caller = new AbortController();
  const opening = openings.open('a', caller, async each => {
    each.use(its);
    await new Promise(resolve => each.ended.addEventListener('abort', resolve));
    return sessionOf(each);
  });
  caller.abort(new ScanError('timeout', 'It took too long.'));
  await t.rejects(opening, { code: 'timeout' });
  t.same(
    [openings.isInUse('a'), openings.sessions.size, its.said],
    [false, 0, ['kill: opening the scanner was abandoned', 'close']],
  );
  await t.rejects(
    openings.open('a', caller, async each => sessionOf(each)),
    { code: 'timeout' },
    'nothing is begun for a caller that has gone',
  );
});

t.test('openings: abandoned, the next one waits until it is free', async t => {
  const openings = createOpenings('the tests');
  const caller = new AbortController();
  const order: string[] = [];
  const opening = openings.open('a', caller, async each => {
    await new Promise(resolve => each.ended.addEventListener('abort', resolve));
    await new Promise(resolve => setTimeout(resolve, 20));
    order.push('ended');
    return sessionOf(each);
  });
  caller.abort(new ScanError('cancelled', 'It was cancelled.'));
  const next = openings.open('a', { signal: never }, async each => (order.push('begun'), sessionOf(each)));
  const impatient = new AbortController();
  const gone = openings.open('a', impatient, async each => (order.push('wrong'), sessionOf(each)));
  impatient.abort(new ScanError('timeout', 'It took too long.'));
  await t.rejects(gone, { code: 'timeout' });
  await t.rejects(opening, { code: 'cancelled' });
  t.equal((await next).device.id, 'a');
  t.same(order, ['ended', 'begun']);
});

t.test('openings: a resource that does not close, killed after its time; the device can be opened again', async t => {
  const clock = fakeClock();
  const openings = createOpenings('the tests', clock);
  const its = { ...helper(), close: () => new Promise<void>(() => {}) };
  const session = await openings.open('a', { signal: never }, async each => (each.use(its), sessionOf(each)));
  const closed = t.rejects(session.close(), { code: 'timeout' });
  t.ok(openings.isInUse('a'));
  await clock.advance(4500);
  await closed;
  t.same([openings.isInUse('a'), openings.sessions.size], [false, 0]);
  t.match(its.said, [/^kill/]);
  const other = helper();
  const next = await openings.open('a', { signal: never }, async each => (each.use(other), sessionOf(each)));
  await next.close();
  t.same(other.said, ['close']);
});

t.test('openings: a resource that fails to close, its error; the device can be opened again', async t => {
  const openings = createOpenings('the tests');
  const its = { close: () => Promise.reject(new Error('no')) };
  const session = await openings.open('a', { signal: never }, async each => (each.use(its), sessionOf(each)));
  await t.rejects(session.close(), { message: 'no' });
  t.notOk(openings.isInUse('a'));
  await openings.open('a', { signal: never }, async each => sessionOf(each));
});

t.test('openings: close, closes open sessions and rejects further opens', async t => {
  const openings = createOpenings('the tests');
  const its = helper();
  await openings.open('a', { signal: never }, async each => (each.use(its), sessionOf(each)));
  const waiting = openings.open(
    'b',
    { signal: never },
    () => new Promise((_, reject) => openings.closed.addEventListener('abort', () => reject(new Error('ended')))),
  );
  const refused = t.rejects(waiting, { code: 'driver-failed', message: 'The driver of the tests was closed.' });
  await openings.close();
  await refused;
  t.same(its.said, ['close']);
  await t.rejects(
    openings.open('c', { signal: never }, async each => sessionOf(each)),
    { code: 'driver-failed' },
  );
});
