/** How the published contract suites meet a test runner: tap's `t` and `node:test`'s context both fit. */

export interface ContractTest {
  test(name: string, options: { skip?: string | false }, body: () => Promise<void>): PromiseLike<unknown>;
}

/** One case of a suite. It fails by throwing. */
export interface ContractCase<Rig, Features> {
  /** Stable, for tables of known gaps: `1-feeds-no-sheet-that-was-not-pulled`. */
  readonly id: string;
  readonly title: string;
  /** Why the case does not apply to a body with such features; undefined when it does. */
  skip?(features: Features): string | undefined;
  /** What usually mends it, where one cannot tell from the failure: said with it. */
  readonly repair?: string;
  run(rig: Rig, features: Features): Promise<void>;
}

export interface Suite<Rig, Features> {
  /** Makes a fresh body for each case. */
  make(): Promise<Rig>;
  readonly features: Features;
  /** Known gaps: the case's id and a sentence; printed as a skip. An id that no case has is an error. */
  readonly gaps?: Readonly<Record<string, string>>;
}

/** Runs every case as a test of its own, each with a body of its own that is disposed of afterwards. */
export async function runCases<Rig extends { dispose?(): Promise<void> }, Features>(
  t: ContractTest,
  cases: readonly ContractCase<Rig, Features>[],
  suite: Suite<Rig, Features>,
): Promise<void> {
  const { features, gaps = {} } = suite;
  for (const id of Object.keys(gaps)) {
    if (!cases.some(each => each.id === id)) throw new Error(`a known gap names no case: ${id}`);
  }
  for (const each of cases) {
    const skip = gaps[each.id] ?? each.skip?.(features) ?? false;
    await t.test(`${each.id}: ${each.title}`, { skip }, async () => {
      const rig = await suite.make();
      try {
        await each.run(rig, features).catch((error: unknown) => fail(error, each.repair));
      } finally {
        await rig.dispose?.();
      }
    });
  }
}

function fail(error: unknown, repair: string | undefined): never {
  if (error instanceof Error && repair !== undefined) error.message += `\n${repair}`;
  throw error;
}
