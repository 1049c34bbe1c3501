/** How the published contract suites run in a test runner: tap's `t` and the context of `node:test` both fit. */

export interface ContractTest {
  test(name: string, options: { skip?: string | false }, body: () => Promise<void>): PromiseLike<unknown>;
}

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
  /** How to fix a driver that fails here, where the failure does not show it; appended to the failure's message. */
  readonly hint?: string;
  run(rig: Rig, features: Features): Promise<void>;
}

export interface Suite<Rig, Features> {
  /** Makes a new rig for each case. */
  make(): Promise<Rig>;
  readonly features: Features;
  /** Known gaps: a case's id and the reason, which is printed as a skip. @throws for an id that no case has */
  readonly gaps?: Readonly<Record<string, string>>;
}

/** Runs every case as a test of its own, each with a new rig that is disposed of afterwards. */
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
    const skip = gaps[each.id] ?? each.skip?.(features) ?? each.untried?.(features) ?? false;
    await t.test(`${each.id}: ${each.title}`, { skip }, async () => {
      const rig = await suite.make();
      try {
        await each.run(rig, features).catch((error: unknown) => fail(error, each.hint));
      } finally {
        await rig.dispose?.();
      }
    });
  }
}

function fail(error: unknown, hint: string | undefined): never {
  if (error instanceof Error && hint !== undefined) error.message += `\n${hint}`;
  throw error;
}
