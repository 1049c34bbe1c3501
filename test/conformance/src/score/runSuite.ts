/** Runs the cases of one suite, one after the other, without a test runner. */
import { performance } from 'node:perf_hooks';
import { assertGaps, runCase, whyNotRun, type ContractCase, type Disposable, type Suite } from '../contractTest.js';
import { fixOf } from '../fixes.js';
import { promiseOf } from './promises.js';
import type { CaseResult, SuiteKind } from './report.js';
import { uncaught } from './uncaught.js';

export interface RunOptions {
  /** Which cases to run; the others are left out. */
  readonly wanted?: (caseId: string) => boolean;
  /** Told of each result at once. */
  readonly onResult?: (result: CaseResult) => void;
  /** For a whole case: one that hangs is a failure. */
  readonly limitMs?: number;
}

/** @throws if a known gap of the suite names no case */
export async function runSuite<Rig extends Disposable, Features>(
  { name, kind }: { readonly name: string; readonly kind: SuiteKind },
  cases: readonly ContractCase<Rig, Features>[],
  suite: Suite<Rig, Features>,
  { wanted = () => true, onResult, limitMs }: RunOptions = {},
): Promise<CaseResult[]> {
  assertGaps(cases, suite);
  const results: CaseResult[] = [];
  for (const each of cases.filter(({ id }) => wanted(id))) {
    const start = performance.now();
    const outcome = await outcomeOf(each, suite, limitMs);
    const seconds = (performance.now() - start) / 1000;
    const { id, title } = each;
    const result = { suite: name, kind, id, promise: promiseOf(id), title, ...outcome, seconds };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

type Found = Pick<CaseResult, 'outcome' | 'message' | 'fix' | 'figures'>;

async function outcomeOf<Rig extends Disposable, Features>(
  each: ContractCase<Rig, Features>,
  suite: Suite<Rig, Features>,
  limitMs: number | undefined,
): Promise<Found> {
  const notRun = whyNotRun(each, suite);
  if (notRun) return { outcome: notRun.state, message: notRun.sentence };
  // A rig that cannot be made or disposed of is not what the hint is about.
  let fix: string | undefined;
  let notCleanedUp = '';
  const failed = (error: unknown, left: string | undefined): never => {
    fix = withoutFix(fixOf(each));
    notCleanedUp = left === undefined ? '' : `\n${left}`;
    throw error;
  };
  try {
    const figures = await uncaught.during(runCase(each, suite, failed, limitMs));
    return { outcome: 'pass', ...(isFigures(figures) && { figures }) };
  } catch (error) {
    return { outcome: 'fail', message: messageOf(error) + notCleanedUp, ...(fix !== undefined && { fix }) };
  }
}

/** Enough to see where in the driver it was. */
const STACK_LINES = 5;

/** Of an assertion, its sentence; of another error, where it was thrown too: nobody expected it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)} was thrown, which is not an Error`;
  // Node appends a comparison to the sentence, which says the same.
  if (error.name === 'AssertionError') return error.message.replace(/\n(\+ actual - expected|\n.* !== )[^]*$/, '');
  const [first = '', ...frames] = (error.stack ?? error.message).split('\n');
  return [first, ...frames.slice(0, STACK_LINES)].join('\n');
}

/** Some hints begin with "Fix:" already; reports put it before all of them. */
function withoutFix(hint: string | undefined): string | undefined {
  return hint?.replace(/^Fix: /, '');
}

function isFigures(value: unknown): value is Readonly<Record<string, number>> {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
