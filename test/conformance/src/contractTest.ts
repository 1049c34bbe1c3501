/** How the published contract suites run in a test runner: tap's `t`, the context of `node:test`, vitest's `{ test }`. */
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

/** Cases bound themselves; this is longer than any of them, and longer than what runners allow a test by default. */
const TEST_TIMEOUT_MS = 600_000;

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
      await inTurn(each.alone ?? false, () => runCase(each, suite, error => fail(error, fixOf(each))));
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
 * With a new rig, which is disposed of afterwards.
 * @param failed is told what the case threw, and throws it or another error
 * @returns what the case returns
 */
export async function runCase<Rig extends Disposable, Features>(
  each: ContractCase<Rig, Features>,
  { make, features }: Suite<Rig, Features>,
  failed: (error: unknown) => never,
): Promise<unknown> {
  const rig = await make();
  try {
    return await each.run(rig, features).catch(failed);
  } finally {
    await rig.dispose?.();
  }
}

function fail(error: unknown, hint: string | undefined): never {
  if (error instanceof Error && hint !== undefined) error.message += `\n${hint}`;
  throw error;
}
