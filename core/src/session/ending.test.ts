/** Stop, then signal, then deaf: each after its time, which runs only while the device is waited for. */
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import { createEnding, type Ending } from './ending.js';
import { countingClock } from './service.test.kit.js';

const cancelled = new ScanError('cancelled', 'enough');
const never = (): Promise<never> => new Promise(() => {});
const stateOf = ({ stop, signal, deaf }: Ending) => [stop.aborted, signal.aborted, deaf];

function setUp() {
  const clock = countingClock();
  return { clock, ending: createEnding(clock), left: () => clock.timers };
}

t.test('before paper moves, an end abandons at once', async t => {
  const { ending } = setUp();
  ending.begin(cancelled, 1000);
  t.same(stateOf(ending), [true, true, false]);
  t.equal(ending.signal.reason, cancelled);
  t.equal(ending.reason, cancelled);
});

t.test('the sheet in the path has the grace time, then the driver has the time to say so, then it is deaf', async t => {
  const { clock, ending, left } = setUp();
  ending.feeding();
  const waiting = ending.guard(never(), 60_000);
  const given = t.rejects(waiting, cancelled);
  ending.begin(cancelled, 1000);
  t.same(stateOf(ending), [true, false, false]);
  t.equal(ending.stop.reason, cancelled);
  await clock.advance(999);
  t.same(stateOf(ending), [true, false, false]);
  await clock.advance(1);
  t.same(stateOf(ending), [true, true, false]);
  await clock.advance(1999);
  t.same(stateOf(ending), [true, true, false]);
  await clock.advance(1);
  t.same(stateOf(ending), [true, true, true]);
  await given;
  t.equal(left(), 0);
});

t.test('a driver that reacts in time is not deaf', async t => {
  const { clock, ending, left } = setUp();
  ending.feeding();
  let react = (_: Error): void => undefined;
  const given = t.rejects(ending.guard(new Promise<never>((_, reject) => (react = reject)), 60_000), /as told/);
  ending.abandon(cancelled);
  await clock.advance(1999);
  react(new Error('as told'));
  await given;
  await clock.advance(10_000);
  t.equal(ending.deaf, false);
  t.equal(left(), 0);
});

t.test('a device that is silent too long is abandoned', async t => {
  const { clock, ending } = setUp();
  ending.feeding();
  t.equal(await ending.guard(Promise.resolve(1), 5000), 1);
  await clock.advance(60_000);
  t.same(stateOf(ending), [false, false, false], 'nobody waits for it');
  const given = t.rejects(ending.guard(never(), 5000), { code: 'timeout', message: 'The scanner delivered nothing for 5 s.' });
  await clock.advance(5000);
  t.same(stateOf(ending), [true, true, false]);
  t.match(ending.reason, { code: 'timeout' });
  await clock.advance(2000);
  await given;
});

t.test('the first reason stays', async t => {
  const { clock, ending } = setUp();
  ending.feeding();
  const given = t.rejects(ending.guard(never(), 500), cancelled);
  ending.begin(cancelled, 10_000);
  ending.begin(new ScanError('timeout', 'later'), 0);
  await clock.advance(500);
  t.ok(ending.signal.aborted, 'silence abandons before the grace time is over');
  t.equal(ending.signal.reason, cancelled);
  ending.abandon(new ScanError('timeout', 'later still'));
  t.equal(ending.reason, cancelled);
  await clock.advance(2000);
  await given;
});

t.test('time in which nobody waits for the device costs no grace, and makes no driver deaf', async t => {
  const { clock, ending, left } = setUp();
  ending.feeding();
  ending.begin(cancelled, 1000);
  await clock.advance(60_000);
  t.same(stateOf(ending), [true, false, false], 'pages were read and encoded meanwhile');
  const late = (ms: number) => new Promise<string>(resolve => void clock.after(ms, () => resolve('page')));
  const first = ending.guard(late(600), 5000);
  await clock.advance(600);
  t.equal(await first, 'page');
  await clock.advance(60_000);
  const given = t.rejects(ending.guard(never(), 5000), cancelled);
  await clock.advance(399);
  t.equal(ending.signal.aborted, false);
  await clock.advance(1);
  t.equal(ending.signal.aborted, true, 'it runs on where it was: a device that goes on feeding is abandoned all the same');
  await clock.advance(2000);
  await given;
  t.equal(left(), 0);

  const other = setUp();
  other.ending.feeding();
  other.ending.abandon(cancelled);
  await other.clock.advance(60_000);
  t.equal(other.ending.deaf, false);
  t.equal(await other.ending.guard(Promise.resolve('the driver was quick'), 5000), 'the driver was quick');
  t.equal(other.left(), 0);
});

t.test('a promise that fails after it was given up troubles nobody', async t => {
  const { clock, ending } = setUp();
  ending.feeding();
  const given = t.rejects(ending.guard(new Promise<never>((_, reject) => void clock.after(9000, () => reject(new Error('late')))), 60_000), cancelled);
  ending.abandon(cancelled);
  await clock.advance(2000);
  await given;
  await clock.advance(9000);
});

t.test('after the end nothing has an effect', async t => {
  const { ending, left } = setUp();
  ending.feeding();
  ending.done();
  ending.begin(cancelled, 1000);
  ending.abandon(cancelled);
  t.same(stateOf(ending), [false, false, false]);
  t.equal(left(), 0);
});

t.test('the grace time is what it is, however the computer’s clock is set', async t => {
  for (const to of [0, Date.UTC(2050, 0)]) {
    const { clock, ending } = setUp();
    ending.feeding();
    ending.begin(cancelled, 1000);
    let deliver = (): void => undefined;
    const page = ending.guard(new Promise<void>(resolve => (deliver = resolve)), 60_000);
    await clock.advance(400);
    clock.set(to);
    deliver();
    await page;
    const given = t.rejects(ending.guard(never(), 60_000), cancelled);
    await clock.advance(599);
    t.equal(ending.signal.aborted, false, 'of 1000 ms, 600 are left');
    await clock.advance(1);
    t.equal(ending.signal.aborted, true);
    await clock.advance(2000);
    await given;
  }
});
