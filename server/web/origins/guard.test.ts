import t from 'tap';
import { createGuard, SETTLE_MS } from './guard.js';

function setUp() {
  const at = { now: 0, isSeen: true };
  const guard = createGuard({ now: () => at.now, isSeen: () => at.isSeen });
  const press = (isRepeat = false): boolean => {
    guard.down(isRepeat);
    const counted = guard.counts();
    guard.up();
    return counted;
  };
  return { at, guard, press };
}

t.test('guard: a press counts after the page was seen for some time', async t => {
  const { at, guard, press } = setUp();
  t.equal(guard.remaining(), SETTLE_MS);
  at.now = SETTLE_MS;
  t.equal(guard.remaining(), 0);
  t.ok(press());
  t.ok(press(), 'and the next one');
});

t.test('guard: a press that is too early counts for nothing, and starts the time anew', async t => {
  const { at, guard, press } = setUp();
  at.now = SETTLE_MS - 1;
  t.notOk(press());
  at.now = SETTLE_MS;
  t.equal(guard.remaining(), SETTLE_MS - 1);
  t.notOk(press());
  at.now = 2 * SETTLE_MS;
  t.ok(press());
});

t.test('guard: a button that is held from before, and released later, counts for nothing', async t => {
  const { at, guard } = setUp();
  guard.down(false);
  at.now = 10 * SETTLE_MS;
  t.notOk(guard.counts());
  guard.up();
  t.ok(guard.counts(), 'a click without a press, as of assistive technology, counts');
});

t.test('guard: a key that is held counts for nothing, however long', async t => {
  const { at, press } = setUp();
  for (at.now = 0; at.now < 10 * SETTLE_MS; at.now += 30) t.notOk(press(true));
  at.now += SETTLE_MS;
  t.ok(press());
});

t.test('guard: nothing counts while the page is not seen, nor at once after it', async t => {
  const { at, guard, press } = setUp();
  at.now = SETTLE_MS;
  at.isSeen = false;
  t.equal(guard.remaining(), undefined);
  t.notOk(press());
  at.isSeen = true;
  guard.restart();
  at.now += SETTLE_MS - 1;
  t.notOk(guard.counts());
  at.now += 1;
  t.ok(guard.counts());
});
