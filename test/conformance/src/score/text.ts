/** A report for the terminal. */
import { applicable } from './score.js';
import { linesFor, secondsOf, findings, idsOf, suitesOf, titleOf } from './words.js';
import type { CaseResult, Counts, Report } from './report.js';

export function textReport(report: Report): string {
  const { promises, suites, cases } = report;
  const width = Math.max(...promises.map(each => titleOf(each).length));
  const parts = [
    promises.map(
      each =>
        `${markOf(each.counts)} ${titleOf(each).padEnd(width)}  ${countOf(each.counts).padStart(7)}  ${secondsOf(each.seconds).padStart(7)}${each.counts.gap || each.counts['not-tried'] ? `  ${openWords(each.counts)}` : ''}`,
    ),
    ...(suites.length > 1 ? [['Suites', ...suites.map(each => `  ${each.name}: ${countWords(each.counts)}`)]] : []),
    section('Failed', cases, 'fail'),
    section('Known gaps', cases, 'gap'),
    section('Not tried', cases, 'not-tried'),
    linesFor(report),
    [scoreLine(report)],
  ];
  return parts
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n');
}

export function scoreLine({ score, only, cases }: Report): string {
  if (score !== undefined) return `Score: ${score} of 100`;
  const failed = cases.filter(each => each.outcome === 'fail').length;
  return `${cases.length} cases of "${only}", ${failed} failed. There is no score: not all cases were run.`;
}

/** ✓ all passed, ✗ one failed, – something is open or nothing applies. */
export function markOf(counts: Counts): '✓' | '✗' | '–' {
  if (counts.fail > 0) return '✗';
  return applicable(counts) > 0 && counts.pass === applicable(counts) ? '✓' : '–';
}

export function countOf(counts: Counts): string {
  return applicable(counts) === 0 ? 'none' : `${counts.pass}/${applicable(counts)}`;
}

function openWords({ gap, 'not-tried': untried }: Counts): string {
  return [gap ? `${gap} known ${gap === 1 ? 'gap' : 'gaps'}` : '', untried ? `${untried} not tried` : '']
    .filter(each => each !== '')
    .join(', ');
}

export function countWords(counts: Counts): string {
  const words = {
    pass: 'passed',
    fail: 'failed',
    gap: 'known gaps',
    'not-tried': 'not tried',
    'not-applicable': 'not applicable',
  };
  return Object.entries(words)
    .filter(([outcome]) => counts[outcome as keyof Counts] > 0 || outcome === 'pass')
    .map(([outcome, word]) => `${counts[outcome as keyof Counts]} ${word}`)
    .join(', ');
}

function section(heading: string, cases: readonly CaseResult[], outcome: CaseResult['outcome']): string[] {
  const its = findings(cases, outcome);
  if (its.length === 0) return [];
  return [
    heading,
    ...its.flatMap(each => [
      `  ${idsOf(each)} (${suitesOf(each)}): ${(each.message ?? '').trim().replaceAll('\n', '\n    ')}`,
      ...(each.fix ? [`    Fix: ${each.fix}`] : []),
    ]),
  ];
}
