/** Places are given first come, first served, and are always given back. */
import t from 'tap';
import { createMutex, createSemaphore } from './semaphore.js';

t.test('semaphore: more work than places, runs in the order of asking', async t => {
  const semaphore = createSemaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const runs = [1, 2, 3, 4].map(n =>
    semaphore.run(() => {
      begun.push(n);
      return new Promise<void>(resolve => ends.push(resolve));
    }),
  );
  const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  await settled();
  t.same(begun, [1, 2]);
  ends[1]?.();
  await settled();
  t.same(begun, [1, 2, 3]);
  ends[0]?.();
  await settled();
  t.same(begun, [1, 2, 3, 4]);
  for (const end of ends) end();
  await Promise.all(runs);
});

t.test('semaphore: work fails, at once or later, its place is free', async t => {
  const semaphore = createSemaphore(1);
  await t.rejects(
    semaphore.run(() => Promise.reject(new Error('later'))),
    /later/,
  );
  await t.rejects(
    semaphore.run(() => {
      throw new Error('at once');
    }),
    /at once/,
  );
  t.equal(await semaphore.run(async () => 7), 7);
});

t.test('semaphore: abort while waiting, throws the reason and takes no place', async t => {
  const semaphore = createSemaphore(1);
  const control = new AbortController();
  let end = (): void => undefined;
  const first = semaphore.run(() => new Promise<void>(resolve => (end = resolve)));
  const reason = new Error('no more');
  const abandoned = [1, 2].map(() =>
    t.rejects(
      semaphore.run(async () => 7, control.signal),
      reason,
    ),
  );
  const last = semaphore.run(async () => 7);
  end();
  control.abort(reason);
  await Promise.all([first, ...abandoned]);
  t.equal(await last, 7);
  await t.rejects(
    semaphore.run(async () => 7, control.signal),
    reason,
  );
});

t.test('mutex: a task starts after the previous one settled, also after a failure', async t => {
  const alone = createMutex();
  const said: string[] = [];
  const first = alone(async () => {
    said.push('first begins');
    await new Promise(setImmediate);
    said.push('first ends');
    throw new Error('it failed');
  });
  const second = alone(async () => void said.push('second'));
  await t.rejects(first, /it failed/);
  await second;
  t.same(said, ['first begins', 'first ends', 'second']);
});

t.test('semaphore: owners have their turns, whoever has more tasks', async t => {
  const semaphore = createSemaphore(1);
  const begun: string[] = [];
  const [stack, page] = [{}, {}];
  const run = (name: string, owner: object): Promise<number> =>
    semaphore.run(async () => begun.push(name), undefined, owner);
  await Promise.all([run('s1', stack), run('s2', stack), run('s3', stack), run('p1', page), run('p2', page)]);
  t.same(begun, ['s1', 'p1', 's2', 'p2', 's3']);
});
