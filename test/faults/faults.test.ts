/** Every fault, caused in a running service: the short form of `npm run faults`, each with the scanners that find most. */
import t from 'tap';
import { columns, type ColumnName } from './columns.js';
import { tryCell } from './cell.js';
import { rows } from './rows.js';

const short = {
  sane: ['double-feed', 'cover', 'offline', 'hang-close', 'helper-crash', 'disk-full', 'descriptors', 'clock'],
  desktopIsolated: ['jam', 'empty', 'hang', 'helper-memory', 'host-crash', 'service-crash'],
} as const satisfies Partial<Readonly<Record<ColumnName, readonly string[]>>>;
/** It takes half a minute, until core gives up. */
const long = ['hang-open'];

for (const name of Object.keys(short) as (keyof typeof short)[]) {
  const topology = await columns[name].load(t);
  if (!topology) continue;
  const its: readonly string[] = short[name];
  for (const row of rows.filter(({ id }) => its.includes(id)))
    await t.test(`${name}: ${row.title}`, async t => {
      const { outcome, words } = await tryCell(row, columns[name], topology);
      // Each of these rows can be caused with these scanners, unless this account cannot.
      if (outcome === 'none') return t.skip(words, () => undefined);
      t.comment(words);
      t.equal(outcome, 'held', words);
    });
}

t.test('no fault is forgotten', async t => {
  const tried: readonly string[] = [...long, ...Object.values(short).flat()];
  t.same(
    rows.map(({ id }) => id).filter(id => !tried.includes(id)),
    [],
  );
});
