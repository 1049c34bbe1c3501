/** Words that several forms of a report share. */
import type { CaseResult, Outcome, PromiseResult, Report } from './report.js';

/** Promises of the driver contract have numbers: `5 True pages in order`. */
export function titleOf({ id, title }: Pick<PromiseResult, 'id' | 'title'>): string {
  return /^\d/.test(id) ? `${id} ${title}` : title;
}

export function secondsOf(seconds: number): string {
  return `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`;
}

/** Cases of a suite with the same message and fix: a rig that cannot be made fails all of them. */
export interface Finding extends Pick<CaseResult, 'suite' | 'message' | 'fix' | 'title'> {
  /** At least one. */
  readonly ids: readonly string[];
}

/** The cases with this outcome, those together that say the same. */
export function findings(cases: readonly CaseResult[], outcome: Outcome): Finding[] {
  const found = new Map<string, Finding>();
  for (const each of cases.filter(its => its.outcome === outcome)) {
    const key = JSON.stringify([each.suite, each.message, each.fix]);
    found.set(key, { ...(found.get(key) ?? each), ids: [...(found.get(key)?.ids ?? []), each.id] });
  }
  return [...found.values()];
}

/** `5-front-before-back and 3 more`. */
export function idsOf({ ids }: Finding): string {
  const [first = '', ...more] = ids;
  return more.length === 0 ? first : more.length === 1 ? `${first}, ${more[0]}` : `${first} and ${more.length} more`;
}

/** What was tested, with what, when. */
export function linesFor({ package: its, versions, date, seconds }: Report): string[] {
  return [
    `${its.name} ${its.version}, against @platen/core ${versions.core}, with @platen/conformance ${versions.conformance}`,
    `${date}, Node ${versions.node}, ${versions.platform}, ${secondsOf(seconds)}`,
  ];
}
