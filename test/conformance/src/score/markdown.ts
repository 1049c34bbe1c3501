/** A report as Markdown: for a README, a release, a customer. */
import { markdownCell } from './markup.js';
import type { CaseResult, Outcome, Report } from './report.js';
import { countOf, countWords, markOf, scoreLine } from './text.js';
import { findings, idsOf, linesFor, secondsOf, suitesOf, titleOf, type Finding } from './words.js';

const cell = markdownCell;

export function markdownReport(report: Report): string {
  const { promises, suites, cases } = report;
  return [
    `# ${cell(report.package.name)}: ${scoreLine(report)}`,
    linesFor(report).map(cell).join('  \n'),
    table(
      ['', 'promise', 'weight', 'cases', 'time'],
      promises.map(each => [
        markOf(each.counts),
        cell(titleOf(each)),
        String(each.weight),
        countOf(each.counts),
        secondsOf(each.seconds),
      ]),
    ),
    table(
      ['suite', 'cases', 'time'],
      suites.map(each => [cell(each.name), countWords(each.counts), secondsOf(each.seconds)]),
    ),
    ...section('Failed', cases, 'fail'),
    ...section('Known gaps', cases, 'gap'),
    ...section('Not tried', cases, 'not-tried'),
    ...figures(cases),
  ].join('\n\n');
}

function section(heading: string, cases: readonly CaseResult[], outcome: Outcome): string[] {
  const its = findings(cases, outcome);
  if (its.length === 0) return [];
  const row = (each: Finding) => [
    cell(idsOf(each)),
    cell(suitesOf(each)),
    cell((each.message ?? '').split('\n')[0] ?? ''),
    ...(outcome === 'fail' ? [cell(each.fix ?? '')] : []),
  ];
  return [`## ${heading}`, table(['case', 'suite', 'why', ...(outcome === 'fail' ? ['fix'] : [])], its.map(row))];
}

function figures(cases: readonly CaseResult[]): string[] {
  const rows = cases.flatMap(({ id, suite, figures: its = {} }) =>
    Object.entries(its).map(([name, value]) => [cell(id), cell(suite), cell(name), String(value)]),
  );
  return rows.length === 0 ? [] : ['## Measured', table(['case', 'suite', 'what', 'value'], rows)];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}
