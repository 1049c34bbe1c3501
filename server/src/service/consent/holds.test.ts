/** Work that ends with its grant: revoked here, by another process, or lapsed; and no timer that is left. */
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import { createHolds } from './holds.js';

const caller = { origin: 'https://a.example', isOwn: false };

function holding() {
  const fake = fakeClock();
  let timers = 0;
  const clock: typeof fake = {
    ...fake,
    after(ms, callback) {
      timers += 1;
      const cancel = fake.after(ms, () => {
        timers -= 1;
        callback();
      });
      let isOver = false;
      return () => {
        if (!isOver) timers -= 1;
        isOver = true;
        cancel();
      };
    },
  };
  const allowed = new Set<string | undefined>(['A', 'B']);
  const holds = createHolds(clock, (_caller, _right, scanner) => allowed.has(scanner));
  const stopped: string[] = [];
  const hold = (scanner: string, isOver?: () => boolean) =>
    holds.hold({
      caller,
      right: 'scan',
      scanner,
      stop: () => void stopped.push(scanner),
      ...(isOver ? { isOver } : {}),
    });
  return { clock, holds, hold, allowed, stopped, timers: () => timers };
}

t.test('hold: stopped once, within a second of what another process revoked', async t => {
  const { clock, hold, allowed, stopped, timers } = holding();
  hold('A');
  hold('B');
  await clock.advance(5000);
  t.same(stopped, []);
  allowed.delete('A');
  await clock.advance(1000);
  t.same(stopped, ['A']);
  t.equal(timers(), 1, 'one look for all');
  allowed.delete('B');
  await clock.advance(10_000);
  t.same(stopped, ['A', 'B']);
  t.equal(timers(), 0);
});

t.test('hold: stopped at once by a check, and never after its release', async t => {
  const { clock, holds, hold, allowed, stopped, timers } = holding();
  const release = hold('A');
  hold('B');
  release();
  release();
  allowed.clear();
  holds.check();
  t.same(stopped, ['B']);
  t.equal(timers(), 0);
  allowed.add('A');
  hold('A')();
  t.equal(timers(), 0);
  await clock.advance(5000);
  t.same(stopped, ['B']);
});

t.test('hold: of a page that is not allowed any more when it begins, stopped at once', async t => {
  const { clock, hold, allowed, stopped, timers } = holding();
  allowed.delete('A');
  const release = hold('A');
  t.same(stopped, ['A']);
  t.equal(timers(), 0);
  hold('A', () => true);
  release();
  await clock.advance(5000);
  t.same(stopped, ['A'], 'once, and not if it is over');
});

t.test('hold: work that is over by itself is not stopped', async t => {
  const { clock, hold, allowed, stopped, timers } = holding();
  let isOver = false;
  hold('A', () => isOver);
  await clock.advance(1000);
  isOver = true;
  allowed.clear();
  await clock.advance(1000);
  t.same(stopped, []);
  t.equal(timers(), 0);
});

t.test('hold: closing leaves no timer and stops nothing', async t => {
  const { clock, holds, hold, allowed, stopped, timers } = holding();
  hold('A');
  holds.close();
  t.equal(timers(), 0);
  allowed.clear();
  await clock.advance(5000);
  t.same(stopped, []);
});
