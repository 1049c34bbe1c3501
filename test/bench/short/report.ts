/** The short run's table, and its place in README.md. */
import { fileURLToPath } from 'node:url';
import { partOf } from '../../tools/documentPart.js';
import { spell, spreadOf, table, verdict } from '../numbers.js';
import { ratioOf } from '../rounds.js';
import type { Result } from './row.js';

/** Of README.md: what `npm run bench -- --write` writes. */
export const reportPart = partOf(fileURLToPath(new URL('../../../bench/README.md', import.meta.url)), {
  begin: '<!-- The short run: npm run bench -- --write writes it. -->',
  end: '<!-- The short run ends here. -->',
});

const head = ['', 'beside', 'unit', 'Platen', 'the other', 'ratio', 'wanted', 'checked'];

export function reportOf(machine: string, results: readonly Result[]): string {
  return `${machine}\n\n${table(head, results.map(cellsOf))}`;
}

/** The ratio is the median of the rounds' ratios, Platen's by the other's. */
export function cellsOf({ what, peer, unit, digits = 0, wanted: { sign, value }, checked, taking }: Result): string[] {
  const begin = [what, peer ?? '', unit];
  if (typeof taking === 'string') return [...begin, taking, '', '', `${sign} ${value.toFixed(2)}: not measured`, ''];
  const { ours, theirs } = taking;
  const own = spreadOf(ours);
  if (theirs === undefined)
    return [...begin, spell(own, digits), '', '', verdict(sign, own.median, value, decimals(value)), checked];
  const ratio = ratioOf(ours, theirs);
  const other = spell(spreadOf(theirs), digits);
  return [...begin, spell(own, digits), other, spell(ratio, 2), verdict(sign, ratio.median, value), checked];
}

/** A budget of 0.7 s has one, one of 90 MB none. */
const decimals = (value: number): number => (Number.isInteger(value) ? 0 : 1);
