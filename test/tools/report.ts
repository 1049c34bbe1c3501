/** What a person reads of a test run: a line a file, and everything about what failed or was skipped. */
import { inspect } from 'node:util';
import { inSources } from './sourcePlaces.js';
import type { FileReport, Tally, Told } from './tally.js';

/** The last line of a test run. */
export function countLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** `core/dist/a/b.test.js` is compiled from `core/src/a/b.test.ts`, `test/dist/…` from `test/…`, and so are the service's pages. */
export function sourceOf(compiled: string): string {
  return compiled
    .replace(/^(test|server\/web)\/dist\//, '$1/')
    .replace(/\/dist\//, '/src/')
    .replace(/\.js$/, '.ts');
}

export function fileLines({ file, tally, told, ms }: FileReport): string[] {
  const word = told.some(each => each.outcome === 'failed') ? 'FAIL' : tally.passed > 0 ? 'ok  ' : 'skip';
  return [
    `${word} ${sourceOf(file)}  (${countLine(tally)}, ${(ms / 1000).toFixed(1)} s)`,
    ...skippedLines(told),
    ...told.flatMap(failedLines),
  ];
}

/** What failed, once more, for the end of a run: of a long log, people are often shown the end only. */
export function failureLines({ file, told }: FileReport): string[] {
  const lines = told.flatMap(each => failedLines(each).slice(0, linesAgain));
  return lines.length === 0 ? [] : [`Failed: ${sourceOf(file)}`, ...lines];
}

/** Of a failed test. */
const linesAgain = 15;

/** One line a reason: a suite that does not apply to a body skips dozens for the same one. */
function skippedLines(told: readonly Told[]): string[] {
  const titles = new Map<string, string[]>();
  for (const { outcome, path, reason = 'no reason given' } of told) {
    if (outcome === 'skipped') titles.set(reason, [...(titles.get(reason) ?? []), titleOf(path)]);
  }
  return [...titles].map(([reason, [first = '', ...others]]) => {
    return `     skipped: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${reason}`;
  });
}

/**
 * How many tests were skipped for each program that this machine does not have; `needs` of `@platen/conformance` says
 * the form of their reason.
 *
 * @param packages Debian's packages by program
 */
export function missingLines(told: readonly Told[], packages: Readonly<Record<string, string>>): string[] {
  const counts = new Map<string, number>();
  for (const { outcome, reason } of told) {
    const [, program] = (outcome === 'skipped' && /^needs (\S+), which this machine/.exec(reason ?? '')) || [];
    if (program) counts.set(program, (counts.get(program) ?? 0) + 1);
  }
  const lines = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([program, count]) => {
      const install = packages[program] ? `: apt-get install ${packages[program]}` : '';
      return `  ${count} for ${program}${install}`;
    });
  return lines.length === 0 ? [] : ['Skipped, because a program is missing:', ...lines];
}

function titleOf(path: readonly string[]): string {
  return path.length === 0 ? 'the file' : path.join(' > ');
}

function failedLines({ path, outcome, assertions, diag }: Told): string[] {
  if (outcome !== 'failed') return [];
  const details =
    assertions.length > 0
      ? assertions.flatMap(each => [`       ${each.name}`, ...diagLines(each.diag)])
      : diagLines(diag);
  return [`     FAILED: ${titleOf(path)}`, ...details];
}

/** What tap says beside a failure: a diff or a stack, and its other facts. */
function diagLines(diag: unknown): string[] {
  if (typeof diag !== 'object' || diag === null) return [];
  const { at, stack, diff, source: _source, ...facts } = diag as Record<string, unknown>;
  const place = placeOf(at);
  const text = [
    ...(typeof stack === 'string' ? inSources(stack).trimEnd().split('\n') : place ? [inSources(place)] : []),
    ...(typeof diff === 'string' ? diff.trimEnd().split('\n') : []),
    ...(Object.keys(facts).length > 0 && typeof diff !== 'string' ? inspect(facts, { depth: 4 }).split('\n') : []),
  ];
  return text.map(line => `         ${line}`);
}

function placeOf(at: unknown): string | undefined {
  if (typeof at !== 'object' || at === null) return undefined;
  const { fileName, lineNumber } = at as { fileName?: unknown; lineNumber?: unknown };
  return typeof fileName === 'string' ? `${fileName}:${String(lineNumber)}` : undefined;
}
