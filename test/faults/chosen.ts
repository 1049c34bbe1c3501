/** Which faults the tests cause: each with the scanners that find most. `npm run faults` causes each with all. */
import t from 'tap';
import { columns, type ColumnName } from './columns.js';
import { tryCell } from './cell.js';
import { rows } from './rows.js';

type Chosen = Partial<Readonly<Record<ColumnName, readonly string[]>>>;

/** One of each kind: of the scanner, of the helper, of the computer, of the desktop application, of the service. */
export const usual: Chosen = {
  sane: ['double-feed', 'helper-crash', 'clock'],
  desktopIsolated: ['host-crash', 'service-crash'],
};
/** In `npm test -- --long` only. */
export const others: Chosen = {
  sane: ['cover', 'offline', 'hang-close', 'disk-full', 'descriptors'],
  desktopIsolated: ['jam', 'empty', 'hang', 'helper-memory'],
};
/** It takes half a minute, until core gives up. */
const never = ['hang-open'];

export const forgotten = (): string[] => {
  const chosen = [usual, others].flatMap(each => Object.values(each).flat());
  return rows.map(({ id }) => id).filter(id => !never.includes(id) && !chosen.includes(id));
};

export async function tryAll(chosen: Chosen): Promise<void> {
  for (const name of Object.keys(chosen) as ColumnName[]) {
    const topology = await columns[name].load(t);
    if (!topology) continue;
    for (const row of rows.filter(({ id }) => chosen[name]?.includes(id)))
      await t.test(`${name}: ${row.title}`, async t => {
        const { outcome, words } = await tryCell(row, columns[name], topology);
        // Each of these rows can be caused with these scanners, unless this account cannot.
        if (outcome === 'none') return t.skip(words, () => undefined);
        t.comment(words);
        t.equal(outcome, 'held', words);
      });
  }
}
