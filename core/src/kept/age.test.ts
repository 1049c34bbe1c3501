/** How long pages wait, by a clock that is set, and timers that no clock changes. */
import t from 'tap';
import { countingClock } from '../time/countingClock.test.kit.js';
import { createAges, leftOf } from './age.js';

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;
const keepMs = 24 * HOUR;
const now = Date.UTC(2026, 0, 1);

t.test('leftOf: the end and the clock agree, the rest of the time', async t => {
  t.same(leftOf({ endedAt: now - HOUR }, keepMs, now), { left: 23 * HOUR });
  t.same(leftOf({ endedAt: now }, keepMs, now), { left: keepMs });
});

t.test('leftOf: no end, or one in the future, the whole time from now', async t => {
  for (const endedAt of [undefined, now + HOUR, now + YEAR])
    t.same(leftOf({ endedAt }, keepMs, now), { left: keepMs, changed: { endedAt: now } });
});

t.test('leftOf: an end long ago, the whole time once, then none', async t => {
  for (const ago of [keepMs, YEAR]) {
    const { left, changed } = leftOf({ endedAt: now - ago }, keepMs, now);
    t.equal(left, keepMs);
    t.same(leftOf({ ...changed }, keepMs, now + HOUR), { left: 23 * HOUR });
    t.same(leftOf({ ...changed }, keepMs, now + YEAR), { left: 0 });
  }
});

t.test('createAges: started, stopped and started again, expires once after the rest', async t => {
  const clock = countingClock();
  const ages = createAges(clock);
  let expired = 0;
  ages.start('a', 100, () => expired++);
  await clock.advance(60);
  clock.set(0);
  t.equal(ages.stop('a'), 40);
  t.equal(ages.stop('a'), 0);
  await clock.advance(1000);
  t.equal(expired, 0);
  ages.start('a', 100, () => (expired += 10));
  ages.start('a', 40, () => expired++);
  await clock.advance(40);
  t.equal(expired, 1);
  t.equal(clock.timers, 0);
});

t.test('createAges: closed, no timer is left and none starts', async t => {
  const clock = countingClock();
  const ages = createAges(clock);
  const never = (): void => void t.fail('it expired');
  ages.start('a', 10, never);
  ages.close();
  ages.start('b', 10, never);
  t.equal(clock.timers, 0);
  await clock.advance(20);
});
