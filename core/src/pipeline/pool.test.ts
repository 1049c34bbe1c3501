/** Places are given first come, first served, and are given back whatever happens. */
import t from 'tap';
import { createPool } from './pool.js';

t.test('no more runs at once than there are places, in the order of asking', async t => {
  const pool = createPool(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const runs = [1, 2, 3, 4].map(n =>
    pool.run(() => {
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

t.test('work that fails, at once or later, gives its place back', async t => {
  const pool = createPool(1);
  await t.rejects(pool.run(() => Promise.reject(new Error('later'))), /later/);
  await t.rejects(pool.run(() => { throw new Error('at once'); }), /at once/);
  t.equal(await pool.run(async () => 7), 7);
});
