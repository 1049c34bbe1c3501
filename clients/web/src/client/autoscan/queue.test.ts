import t from 'tap';
import { createQueue } from './queue.js';

const never = new AbortController().signal;

t.test('queue: items put before or after take, in order, then the end', async t => {
  const queue = createQueue<number>(2);
  const first = queue.take();
  queue.put(1);
  queue.put(2);
  t.equal(await first, 1);
  t.equal(await queue.take(), 2);
  const last = queue.take();
  queue.end();
  t.equal(await last, undefined);
  t.equal(await queue.take(), undefined);
});

t.test('queue: a failure, thrown once, after the items before it', async t => {
  const queue = createQueue<number>(2);
  queue.put(1);
  queue.fail(new Error('jam'));
  queue.end();
  t.equal(await queue.take(), 1);
  await t.rejects(queue.take(), /jam/);
  t.equal(await queue.take(), undefined);
});

t.test('queue: room resolves when an item is taken or the signal is aborted', async t => {
  const queue = createQueue<number>(1);
  await queue.room(never);
  queue.put(1);
  t.equal(queue.full, true);
  let free = false;
  const room = queue.room(never).then(() => (free = true));
  await new Promise(setImmediate);
  t.equal(free, false);
  await queue.take();
  await room;
  queue.put(2);
  const leaving = new AbortController();
  const left = queue.room(leaving.signal);
  leaving.abort();
  await left;
  queue.put(3);
  t.equal(queue.excess, 1);
  t.same(queue.clear(), [2, 3]);
  t.equal(queue.excess, 0);
  t.equal(queue.full, false);
});
