/** Stop, then signal, then unresponsive: each after its time, which runs only while the device is awaited. */
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import { createCancellation, type Cancellation } from './cancellation.js';
import { countingClock } from './countingClock.test.kit.js';

const cancelled = new ScanError('cancelled', 'enough');
const never = (): Promise<never> => new Promise(() => {});
const stateOf = ({ stop, signal, unresponsive }: Cancellation) => [stop.aborted, signal.aborted, unresponsive];

function setUp() {
  const clock = countingClock();
  return { clock, cancellation: createCancellation(clock), left: () => clock.timers };
}

t.test('cancellation: end before paper moves, abandons at once', async t => {
  const { cancellation } = setUp();
  cancellation.begin(cancelled, 1000);
  t.same(stateOf(cancellation), [true, true, false]);
  t.equal(cancellation.signal.reason, cancelled);
  t.equal(cancellation.reason, cancelled);
});

t.test(
  'cancellation: sheet in the path, gets the grace time, then the driver the listening time, then unresponsive',
  async t => {
    const { clock, cancellation, left } = setUp();
    cancellation.feeding();
    const waiting = cancellation.guard(never(), 60_000);
    const given = t.rejects(waiting, cancelled);
    cancellation.begin(cancelled, 1000);
    t.same(stateOf(cancellation), [true, false, false]);
    t.equal(cancellation.stop.reason, cancelled);
    await clock.advance(999);
    t.same(stateOf(cancellation), [true, false, false]);
    await clock.advance(1);
    t.same(stateOf(cancellation), [true, true, false]);
    await clock.advance(1999);
    t.same(stateOf(cancellation), [true, true, false]);
    await clock.advance(1);
    t.same(stateOf(cancellation), [true, true, true]);
    await given;
    t.equal(left(), 0);
  },
);

t.test('cancellation: the driver reacts in time, not unresponsive', async t => {
  const { clock, cancellation, left } = setUp();
  cancellation.feeding();
  let react = (_: Error): void => undefined;
  const given = t.rejects(cancellation.guard(new Promise<never>((_, reject) => (react = reject)), 60_000), /as told/);
  cancellation.abandon(cancelled);
  await clock.advance(1999);
  react(new Error('as told'));
  await given;
  await clock.advance(10_000);
  t.equal(cancellation.unresponsive, false);
  t.equal(left(), 0);
});

t.test('cancellation: the device is silent too long, abandoned', async t => {
  const { clock, cancellation } = setUp();
  cancellation.feeding();
  t.equal(await cancellation.guard(Promise.resolve(1), 5000), 1);
  await clock.advance(60_000);
  t.same(stateOf(cancellation), [false, false, false], 'the device is not awaited');
  const given = t.rejects(cancellation.guard(never(), 5000), {
    code: 'timeout',
    message: 'The scanner delivered nothing for 5 s.',
  });
  await clock.advance(5000);
  t.same(stateOf(cancellation), [true, true, false]);
  t.match(cancellation.reason, { code: 'timeout' });
  await clock.advance(2000);
  await given;
});

t.test('cancellation: several ends, the first reason stays', async t => {
  const { clock, cancellation } = setUp();
  cancellation.feeding();
  const given = t.rejects(cancellation.guard(never(), 500), cancelled);
  cancellation.begin(cancelled, 10_000);
  cancellation.begin(new ScanError('timeout', 'later'), 0);
  await clock.advance(500);
  t.ok(cancellation.signal.aborted, 'silence abandons before the grace time is over');
  t.equal(cancellation.signal.reason, cancelled);
  cancellation.abandon(new ScanError('timeout', 'later still'));
  t.equal(cancellation.reason, cancelled);
  await clock.advance(2000);
  await given;
});

t.test('cancellation: the device is not awaited, no grace time passes and no driver is unresponsive', async t => {
  const { clock, cancellation, left } = setUp();
  cancellation.feeding();
  cancellation.begin(cancelled, 1000);
  await clock.advance(60_000);
  t.same(stateOf(cancellation), [true, false, false], 'pages were read and encoded meanwhile');
  const late = (ms: number) => new Promise<string>(resolve => void clock.after(ms, () => resolve('page')));
  const first = cancellation.guard(late(600), 5000);
  await clock.advance(600);
  t.equal(await first, 'page');
  await clock.advance(60_000);
  const given = t.rejects(cancellation.guard(never(), 5000), cancelled);
  await clock.advance(399);
  t.equal(cancellation.signal.aborted, false);
  await clock.advance(1);
  t.equal(
    cancellation.signal.aborted,
    true,
    'the rest of the time runs: a device that keeps feeding is still abandoned',
  );
  await clock.advance(2000);
  await given;
  t.equal(left(), 0);

  const other = setUp();
  other.cancellation.feeding();
  other.cancellation.abandon(cancelled);
  await other.clock.advance(60_000);
  t.equal(other.cancellation.unresponsive, false);
  t.equal(await other.cancellation.guard(Promise.resolve('the driver was quick'), 5000), 'the driver was quick');
  t.equal(other.left(), 0);
});

t.test('cancellation: an abandoned promise fails, no unhandled rejection', async t => {
  const { clock, cancellation } = setUp();
  cancellation.feeding();
  const given = t.rejects(
    cancellation.guard(
      new Promise<never>((_, reject) => void clock.after(9000, () => reject(new Error('late')))),
      60_000,
    ),
    cancelled,
  );
  cancellation.abandon(cancelled);
  await clock.advance(2000);
  await given;
  await clock.advance(9000);
});

t.test('cancellation: after the end, calls have no effect', async t => {
  const { cancellation, left } = setUp();
  cancellation.feeding();
  cancellation.done();
  cancellation.begin(cancelled, 1000);
  cancellation.abandon(cancelled);
  t.same(stateOf(cancellation), [false, false, false]);
  t.equal(left(), 0);
});

t.test('cancellation: the system clock is changed, the grace time is not', async t => {
  for (const to of [0, Date.UTC(2050, 0)]) {
    const { clock, cancellation } = setUp();
    cancellation.feeding();
    cancellation.begin(cancelled, 1000);
    let deliver = (): void => undefined;
    const page = cancellation.guard(new Promise<void>(resolve => (deliver = resolve)), 60_000);
    await clock.advance(400);
    clock.set(to);
    deliver();
    await page;
    const given = t.rejects(cancellation.guard(never(), 60_000), cancelled);
    await clock.advance(599);
    t.equal(cancellation.signal.aborted, false, 'of 1000 ms, 600 are left');
    await clock.advance(1);
    t.equal(cancellation.signal.aborted, true);
    await clock.advance(2000);
    await given;
  }
});
