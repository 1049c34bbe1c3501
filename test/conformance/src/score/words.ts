/** Words that several forms of a report share. */
import type { CaseResult, PromiseResult, Report } from './report.js';

/** Promises of the driver contract have numbers: `5 True pages in order`. */
export function titleOf({ id, title }: Pick<PromiseResult, 'id' | 'title'>): string {
  return /^\d/.test(id) ? `${id} ${title}` : title;
}

export function secondsOf(seconds: number): string {
  return `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`;
}

/** The case, the suite and the message, whose further lines are indented. */
export function sentenceOf({ id, suite, message = '' }: CaseResult): string {
  return `${id} (${suite}): ${message.trim().replaceAll('\n', '\n    ')}`;
}

/** What was tested, with what, when. */
export function linesFor({ package: its, versions, date, seconds }: Report): string[] {
  return [
    `${its.name} ${its.version}, against @platen/core ${versions.core}, with @platen/conformance ${versions.conformance}`,
    `${date}, Node ${versions.node}, ${versions.platform}, ${secondsOf(seconds)}`,
  ];
}
