/** The score of a package: 0 to 100, by promise and weight. */
import { promises } from './promises.js';
import type { CaseResult, Counts, Outcome, PromiseResult, SuiteResult } from './report.js';

/** Of a case that several suites ran, the first of these that any of them had. */
const strongest: readonly Outcome[] = ['fail', 'gap', 'pass', 'not-tried', 'not-applicable'];

const none: Counts = { pass: 0, fail: 0, gap: 0, 'not-applicable': 0, 'not-tried': 0 };

export function countsOf(outcomes: readonly Outcome[]): Counts {
  const counts = { ...none };
  for (const each of outcomes) counts[each]++;
  return counts;
}

export function suiteResults(cases: readonly CaseResult[]): SuiteResult[] {
  return [...grouped(cases, each => each.suite)].map(([name, its]) => ({
    name,
    kind: its[0]?.kind ?? 'package',
    counts: countsOf(its.map(each => each.outcome)),
    seconds: sum(its),
  }));
}

/** Those that have a case, in the order of the table of weights. */
export function promiseResults(cases: readonly CaseResult[]): PromiseResult[] {
  const byPromise = grouped(cases, each => each.promise);
  return promises.flatMap(({ id, title, weight }) => {
    const its = byPromise.get(id) ?? [];
    if (its.length === 0) return [];
    const merged = [...grouped(its, each => `${each.kind} ${each.id}`).values()].map(mergedOutcome);
    return [{ id, title, weight, counts: countsOf(merged), seconds: sum(its) }];
  });
}

/** A failure or a gap in one suite counts, whatever the others say; a case that one suite cannot try, another may. */
function mergedOutcome(same: readonly CaseResult[]): Outcome {
  return strongest.find(outcome => same.some(each => each.outcome === outcome)) ?? 'not-applicable';
}

/** Cases that earn something, or could: those that apply. */
export function applicable({ pass, fail, gap, 'not-tried': untried }: Counts): number {
  return pass + fail + gap + untried;
}

/** Rounded down, so that 100 means all. @returns 0 if no case applies */
export function scoreOf(results: readonly PromiseResult[]): number {
  const scored = results.filter(({ counts }) => applicable(counts) > 0);
  const all = scored.reduce((total, { weight }) => total + weight, 0);
  // Whole numbers as long as possible: 100 of 100 is not 99.999.
  if (scored.every(({ counts }) => counts.pass === applicable(counts))) return all > 0 ? 100 : 0;
  const earned = scored.reduce((total, { weight, counts }) => total + (weight * counts.pass) / applicable(counts), 0);
  return Math.min(99, Math.floor((100 * earned) / all + 1e-9));
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

function sum(cases: readonly CaseResult[]): number {
  return cases.reduce((total, { seconds }) => total + seconds, 0);
}
