/** Every fault, caused in a running service: the short form of `npm run faults`, over the scanners that find most. */
import t from 'tap';
import { columns, type ColumnName } from './columns.js';
import { tryCell } from './cell.js';
import { rows } from './rows.js';

const short: readonly ColumnName[] = ['sane', 'desktopIsolated'];

for (const name of short) {
  const topology = await columns[name].load(t);
  if (!topology) continue;
  for (const row of rows)
    await t.test(`${name}: ${row.title}`, async t => {
      const { outcome, words } = await tryCell(row, columns[name], topology);
      t.comment(words);
      if (outcome === 'none') t.pass(row.id, { skip: words });
      else t.equal(outcome, 'held', words);
    });
}
