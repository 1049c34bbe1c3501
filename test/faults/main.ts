/**
 * `npm run faults [-- COLUMN… ROW…]`: every fault with every kind of scanner, as one table, which it writes into
 * docs/reliability.md. Columns and rows that are not named keep what the table says of them.
 */
import { fileURLToPath } from 'node:url';
import type { NeedyTest } from '@platen/conformance';
import { partOf, runOn } from '../tools/documentPart.js';
import { columns, type ColumnName } from './columns.js';
import { tryCell } from './cell.js';
import { rows } from './rows.js';

const part = partOf(fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url)), {
  begin: '<!-- faults: npm run faults writes them -->',
  end: '<!-- end of the faults -->',
});
const names = Object.keys(columns) as ColumnName[];

const wanted = process.argv.slice(2);
const ids = rows.map(({ id }) => id);
const unknown = wanted.find(name => ![...names, ...ids].includes(name));
if (unknown !== undefined) {
  console.error(`"${unknown}" is neither a column (${names.join(', ')}) nor a row (${ids.join(', ')}).`);
  process.exit(2);
}

/** By row and column: what this run found. */
const table = new Map<string, string>();
let failures = 0;
const chosen = <Name extends string>(all: readonly Name[]): readonly Name[] => {
  const some = all.filter(each => wanted.includes(each));
  return some.length > 0 ? some : all;
};
for (const name of chosen(names)) {
  const topology = await columns[name].load(here(name));
  for (const row of rows.filter(({ id }) => chosen(ids).includes(id))) {
    const cell = topology
      ? await tryCell(row, columns[name], topology)
      : ({ outcome: 'none', words: 'not run here' } as const);
    console.log(`${cell.outcome.padEnd(6)} ${name}: ${row.title}: ${cell.words}`);
    if (cell.outcome === 'failed') failures++;
    const short =
      cell.outcome === 'held' ? cell.words : cell.outcome === 'none' ? '–' : `**failed**: ${cell.words.split('\n')[0]}`;
    table.set(`${row.title}|${columns[name].title}`, short.replaceAll('|', '\\|'));
  }
}
writeTable(table);
console.log(`\n${failures} cells failed`);
process.exitCode = failures > 0 ? 1 : 0;

function here(name: string): NeedyTest {
  const say = (sentence: string): void => console.log(`${name}: ${sentence}`);
  return { skip: say, fail: say };
}

function readTable(): Map<string, string> {
  const lines = part
    .read()
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.slice(2, -2).split(' | '));
  const [heads = [], , ...body] = lines;
  return new Map(
    body.flatMap(([title = '', ...cells]) => cells.map((cell, at) => [`${title}|${heads[at + 1]}`, cell] as const)),
  );
}

/** Read again now: another run may have written its columns. */
function writeTable(found: ReadonlyMap<string, string>): void {
  const all = new Map([...readTable(), ...found]);
  const titles = names.map(name => columns[name].title);
  const lines = [
    ['fault', ...titles],
    ['---', ...titles.map(() => '---')],
    ...rows.map(({ title }) => [title, ...titles.map(each => all.get(`${title}|${each}`) ?? 'not run')]),
  ].map(cells => `| ${cells.join(' | ')} |`);
  part.write(`${lines.join('\n')}\n\nLast run: ${runOn()}.`);
}
