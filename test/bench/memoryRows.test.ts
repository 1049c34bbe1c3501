/** Whether a long scan is flat: the most of its first pages' time, against the most of its last pages'. */
import t from 'tap';
import { flatRow } from './memoryRows.js';

/** A page in each nanosecond. */
const at = Array.from({ length: 2000 }, (_, page) => String(page + 1));
const grown = (perPage: number) => at.map(each => ({ at: BigInt(each), bytes: 200e6 + Number(each) * perPage }));

t.test('flat: the last pages need as much as the first', async t => {
  t.same(flatRow(grown(0), at), ['2000 pages', '200', '200', '1.00', '≤ 1.05: met']);
});

t.test('flat: 20 kB more with each page, missed', async t => {
  t.same(flatRow(grown(20_000), at), ['2000 pages', '210', '240', '1.14', '≤ 1.05: missed']);
});

t.test('flat: a peak between them does not count', async t => {
  t.match(flatRow([...grown(0), { at: 1000n, bytes: 900e6 }], at), ['2000 pages', '200', '200']);
});
