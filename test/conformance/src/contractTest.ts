/** How the published contract suites run in a test runner: tap's `t`, the context of `node:test`, vitest's `{ test }`. */
import { AssertionError } from 'node:assert';
import { messageOf } from '@platen/core/plugin';
import { CASE_LIMIT_MS, TIMEOUT_MS, withDeadline } from './driverCases/deadline.js';
import { fixOf } from './fixes.js';
import { inTurn } from './turns.js';

export interface ContractTest {
  /** @param options.skip false, or the reason as a sentence; tests of runners that only know `true` fit too */
  test(name: string, options: { skip?: string | boolean; timeout?: number }, body: () => Promise<void>): unknown;
}

/** What a case measured, for reports: each name says the unit, `{ 'copies of a page': 1.2 }`. */
export type Figures = Readonly<Record<string, number>>;

/** One case of a suite. It fails by throwing. */
export interface ContractCase<Rig, Features> {
  /** Stable, for tables of known gaps: `1-feeds-no-sheet-that-was-not-pulled`. */
  readonly id: string;
  readonly title: string;
  /** Why the case does not apply to these features; undefined when it does. */
  skip?(features: Features): string | undefined;
  /**
   * Why the rig cannot run a case that applies to these features: "the rig cannot cause paper-jam". A test runner skips
   * it; a score counts it as not tried. Undefined when it can.
   */
  untried?(features: Features): string | undefined;
  /** It looks at the whole process: its memory, what is open. No other case of this process runs meanwhile. */
  readonly alone?: boolean;
  /** How to fix a driver that fails here, where the failure does not show it; appended to the failure's message. */
  readonly hint?: string;
  /** @returns what it measured, if it measures */
  run(rig: Rig, features: Features): Promise<Figures | void>;
}

export interface Suite<Rig, Features> {
  /** Makes a new rig for each case. */
  make(): Promise<Rig>;
  readonly features: Features;
  /** Known gaps: a case's id and the reason, which is printed as a skip. @throws for an id that no case has */
  readonly gaps?: Readonly<Record<string, string>>;
}

/** A rig as the suites dispose of it. */
export interface Disposable {
  dispose?(): Promise<void>;
}

/** Why a case is not run. */
export interface NotRun {
  readonly state: 'gap' | 'not-applicable' | 'not-tried';
  readonly sentence: string;
}

/** Longer than a case with its clean-up: the sentence that a person reads is the case's, not the runner's. */
const TEST_TIMEOUT_MS = 2 * CASE_LIMIT_MS;

/** Runs every case as a test of its own, each with a new rig that is disposed of afterwards. */
export async function runCases<Rig extends Disposable, Features>(
  t: ContractTest,
  cases: readonly ContractCase<Rig, Features>[],
  suite: Suite<Rig, Features>,
): Promise<void> {
  assertGaps(cases, suite);
  for (const each of cases) {
    const skip = whyNotRun(each, suite)?.sentence ?? false;
    await t.test(`${each.id}: ${each.title}`, { skip, timeout: TEST_TIMEOUT_MS }, async () => {
      await inTurn(each.alone ?? false, () => runCase(each, suite, (error, left) => fail(error, left, fixOf(each))));
    });
  }
}

/** @throws if a known gap names no case */
export function assertGaps<Rig, Features>(
  cases: readonly ContractCase<Rig, Features>[],
  { gaps = {} }: Suite<Rig, Features>,
): void {
  for (const id of Object.keys(gaps)) {
    if (!cases.some(each => each.id === id)) throw new Error(`a known gap names no case: ${id}`);
  }
}

/** @returns undefined for a case that runs */
export function whyNotRun<Rig, Features>(
  each: ContractCase<Rig, Features>,
  { features, gaps = {} }: Suite<Rig, Features>,
): NotRun | undefined {
  const reasons = {
    gap: gaps[each.id],
    'not-applicable': each.skip?.(features),
    'not-tried': each.untried?.(features),
  };
  for (const [state, sentence] of Object.entries(reasons)) {
    if (sentence !== undefined) return { state: state as NotRun['state'], sentence };
  }
  return undefined;
}

/**
 * With a new rig, which is disposed of afterwards. It ends, whatever hangs: the case after its limit, the clean-up after
 * the time for one answer.
 * @param failed is told what the case threw and what the clean-up left behind, and throws it or another error
 * @returns what the case returns
 */
export async function runCase<Rig extends Disposable, Features>(
  each: ContractCase<Rig, Features>,
  { make, features }: Suite<Rig, Features>,
  failed: (error: unknown, left: string | undefined) => never,
  limitMs: number = CASE_LIMIT_MS,
): Promise<unknown> {
  const rig = await withDeadline(make(), "the rig's make()", limitMs);
  // After the timer of the limit: a case that looks at what is open finds it there from the beginning.
  const running = Promise.resolve().then(() => each.run(rig, features));
  const ran = await withDeadline(running, 'the end of the case', limitMs).then(
    figures => ({ figures }),
    (error: unknown) => ({ error }),
  );
  // Of drivers; the others have no device to wait for.
  const { timeoutMs = TIMEOUT_MS } = features as { readonly timeoutMs?: number };
  const left = await disposed(rig, timeoutMs);
  // The case's failure takes precedence over that of the clean-up, which is often its consequence.
  if ('error' in ran) return failed(ran.error, left);
  if (left !== undefined) throw new AssertionError({ message: left });
  return ran.figures;
}

/** @returns undefined, or why something is left behind */
async function disposed(rig: Disposable, timeoutMs: number): Promise<string | undefined> {
  try {
    await withDeadline(Promise.resolve(rig.dispose?.()), "the rig's dispose()", timeoutMs);
    return undefined;
  } catch (error) {
    return `Not cleaned up: ${messageOf(error)}. What the case began may disturb the cases after it, which go on: fix this one first.`;
  }
}

/** A runner prints the message or the stack, which begins with it. */
function fail(error: unknown, ...lines: readonly (string | undefined)[]): never {
  if (error instanceof Error) {
    const { message, stack } = error;
    error.message = [message, ...lines.filter(line => line !== undefined)].join('\n');
    if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  }
  throw error;
}
