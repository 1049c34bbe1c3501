/** The short run's table, and its place in README.md. */
import { spell, spreadOf, table, verdict } from '../numbers.js';
import { ratioOf } from '../rounds.js';
import type { Result } from './row.js';

const BEGIN = '<!-- The short run: `npm run bench -- --write` writes what is between these comments. -->';
const END = '<!-- The short run ends here. -->';

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

/** @returns the page with this report in the place of the last one @throws where its two comments are not there once each */
export function withReport(page: string, report: string): string {
  const [before, rest, ...more] = page.split(BEGIN);
  const [, after, ...others] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length + others.length > 0)
    throw new Error(`The page needs two lines, in this order and once each: ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n\n${report}\n\n${END}${after}`;
}
