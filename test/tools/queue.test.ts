/** The order of test files: both kinds side by side, each in its order. */
import t from 'tap';
import { queueOf, type Taken } from './queue.js';

const inside = ['core/dist/a.test.js', 'core/dist/b.test.js', 'server/dist/c.test.js', 'server/dist/d.test.js'];
const whole = ['test/dist/e.test.js', 'test/dist/spec/virtual/f'];

t.test('queue: half of the places for each kind', async t => {
  const queue = queueOf([...inside, ...whole], 4);
  const taken = [1, 2, 3, 4].map(() => queue.take());
  t.same(taken.map(each => each?.file).sort(), [...inside.slice(0, 2), ...whole].sort());
});

t.test('queue: a place goes to the kind of which fewer run', async t => {
  const queue = queueOf([...inside, ...whole, 'test/dist/g.test.js'], 4);
  const taken = [1, 2, 3, 4].map(() => queue.take());
  taken.find(each => each?.file === whole[0])?.ended();
  t.equal(queue.take()?.file, 'test/dist/g.test.js');
});

t.test('queue: one kind alone has all places, and every file is taken once', async t => {
  const queue = queueOf(inside, 3);
  const taken: (Taken | undefined)[] = [1, 2, 3].map(() => queue.take());
  t.equal(queue.take(), undefined);
  for (const each of taken) each?.ended();
  taken.push(queue.take());
  t.same(
    taken.map(each => each?.file),
    inside,
  );
  t.equal(queue.take(), undefined);
  t.equal(queueOf(inside, 1).take()?.file, inside[0], 'one place is one');
  const odd = queueOf([...inside, ...whole], 3);
  t.same(
    [1, 2, 3].map(() => odd.take()?.file).filter(file => whole.includes(file ?? '')),
    whole,
    'an odd place is for one that waits',
  );
});

t.test('queue: cleared, it has nothing', async t => {
  const queue = queueOf(inside, 4);
  queue.clear();
  t.equal(queue.take(), undefined);
});
