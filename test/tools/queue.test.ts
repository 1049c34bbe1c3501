/** The order of test files: both kinds side by side, each in its order. */
import t from 'tap';
import { queueOf, type Taken } from './queue.js';

const inside = ['core/dist/a.test.js', 'core/dist/b.test.js', 'server/dist/c.test.js', 'server/dist/d.test.js'];
const whole = ['test/dist/spec/virtual/e', 'test/dist/f.test.js'];

t.test('queue: half of the places for each kind', async t => {
  const queue = queueOf([...inside, ...whole], 4);
  const taken = [1, 2, 3, 4].map(() => queue.take()?.files);
  t.same(taken, [[whole[0]], inside.slice(0, 1), [whole[1]], inside.slice(1, 2)]);
});

t.test('queue: a place goes to the kind of which fewer run', async t => {
  const queue = queueOf([...inside, 'test/dist/spec/virtual/d', ...whole], 4);
  const taken = [1, 2, 3, 4].map(() => queue.take());
  taken.find(each => each?.files[0] === whole[0])?.ended();
  t.same(queue.take()?.files, whole.slice(1));
});

t.test('queue: one kind alone has all places, and every file is taken once', async t => {
  const queue = queueOf(whole, 3);
  const taken: (Taken | undefined)[] = [1, 2].map(() => queue.take());
  t.equal(queue.take(), undefined);
  t.same(
    taken.map(each => each?.files),
    whole.map(file => [file]),
  );
  for (const each of taken) each?.ended();
  t.equal(queue.take(), undefined);
  t.same(queueOf(inside, 1).take()?.files, inside.slice(0, 2), 'one place is one');
  const odd = queueOf([...inside, ...whole], 3);
  t.same(
    [1, 2, 3].map(() => odd.take()?.files[0]).filter(file => whole.includes(file ?? '')),
    whole,
    'an odd place is for one that waits',
  );
});

t.test('queue: files of a workspace share a process, other kinds do not', async t => {
  const all = (queue: ReturnType<typeof queueOf>) => {
    const found: (readonly string[])[] = [];
    for (let next = queue.take(); next; next = queue.take()) {
      found.push(next.files);
      next.ended();
    }
    return found.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  };
  t.same(all(queueOf([...inside, ...whole], 1)), [
    inside.slice(0, 2),
    inside.slice(2),
    ...whole.toReversed().map(file => [file]),
  ]);
  const many = Array.from({ length: 45 }, (_, at) => `core/dist/${at}.test.js`);
  t.same(all(queueOf(many, 2)).flat().toSorted(), many.toSorted());
  t.equal(all(queueOf(many, 2)).length, 3, 'and not all of them one');
  t.same(all(queueOf(inside, 1, file => (file.includes('/a.') ? 'recorded' : ''))), [
    inside.slice(0, 1),
    inside.slice(1, 2),
    inside.slice(2),
  ]);
});

t.test('queue: whole-house tests share processes, up to six; a run of the interface’s sections is alone', async t => {
  const many = Array.from({ length: 13 }, (_, at) => `test/dist/${at}.test.js`);
  const queue = queueOf([...many, 'test/dist/spec/virtual/e'], 9);
  const sizes = [1, 2, 3, 4].map(() => queue.take()?.files.length);
  t.same([...sizes, queue.take()], [1, 4, 4, 5, undefined]);
});

t.test('queue: browser tests share a browser; a long one is alone', async t => {
  const app = ['test/dist/browser/app.test.js', 'test/dist/browser/appLost.test.js'];
  const pages = ['test/dist/browser/attacks.test.js', 'test/dist/browser/component.test.js'];
  const alone = ['test/dist/browser/appKept.long.test.js', 'test/dist/cert/a.test.js'];
  const queue = queueOf([...alone, ...pages, ...app], 9);
  t.same([queue.take()?.files, queue.take()?.files], [app, pages]);
  t.same([queue.take()?.files, queue.take()?.files, queue.take()], [alone.slice(0, 1), alone.slice(1), undefined]);
});

t.test('queue: cleared, it has nothing', async t => {
  const queue = queueOf(inside, 4);
  queue.clear();
  t.equal(queue.take(), undefined);
});
