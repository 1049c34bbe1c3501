/** Words that several forms of a report share. */
import type { CaseResult, Outcome, PromiseResult, Report } from './report.js';

/** Promises of the driver contract have numbers: `5 True pages in order`. */
export function titleOf({ id, title }: Pick<PromiseResult, 'id' | 'title'>): string {
  return /^\d/.test(id) ? `${id} ${title}` : title;
}

export function secondsOf(seconds: number): string {
  return `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`;
}

/** Cases with the same message and fix: a rig that cannot be made fails all cases of its suite. */
export interface Finding extends Pick<CaseResult, 'message' | 'fix' | 'title'> {
  /** At least one. */
  readonly ids: readonly string[];
  /** At least one. */
  readonly suites: readonly string[];
}

/** The cases with this outcome, those together that say the same; what a suite could not try and another passed is none. */
export function findings(cases: readonly CaseResult[], outcome: Outcome): Finding[] {
  const passed = new Set(cases.filter(each => each.outcome === 'pass').map(each => each.id));
  const its = cases.filter(each => each.outcome === outcome && !(outcome === 'not-tried' && passed.has(each.id)));
  const bySuite = new Map<string, Finding>();
  for (const each of its) {
    const key = JSON.stringify([each.suite, each.message, each.fix]);
    const { ids = [] } = bySuite.get(key) ?? {};
    bySuite.set(key, { ...each, ids: [...ids, each.id], suites: [each.suite] });
  }
  const found = new Map<string, Finding>();
  for (const each of bySuite.values()) {
    const key = JSON.stringify([each.ids, each.message, each.fix]);
    found.set(key, { ...each, suites: [...(found.get(key)?.suites ?? []), ...each.suites] });
  }
  return [...found.values()];
}

/** `5-front-before-back and 3 more`. */
export function idsOf({ ids }: Finding): string {
  const [first = '', ...more] = ids;
  return more.length < 3 ? ids.join(', ') : `${first} and ${more.length} more`;
}

/** `Acme F100 (simulated)`, `3 suites`. */
export function suitesOf({ suites }: Finding): string {
  return suites.length === 1 ? (suites[0] ?? '') : `${suites.length} suites`;
}

/** What was tested, with what, when. */
export function linesFor({ package: its, versions, date, seconds }: Report): string[] {
  return [
    `${its.name} ${its.version}, against @platen/core ${versions.core}, with @platen/conformance ${versions.conformance}`,
    `${date}, Node ${versions.node}, ${versions.platform}, ${secondsOf(seconds)}`,
  ];
}
