/** A row of the short run: what it measures, beside which program, and what is wanted of it. */

/** What a row says before anything is measured. */
export interface Plan {
  readonly what: string;
  /** The program that users would pick instead; none: the row has a budget. */
  readonly peer?: string;
  readonly unit: string;
  /** Decimals of a taking; 0 if absent. */
  readonly digits?: number;
  /** Of the ratio to the peer's; of the taking itself without a peer. */
  readonly wanted: { readonly sign: '≥' | '≤'; readonly value: number };
  /** What is compared in the same run: a side that does something else is not faster. */
  readonly checked: string;
}

/** A value of each round, in the plan's unit. */
export interface Taking {
  readonly ours: readonly number[];
  /** Of the same rounds. */
  readonly theirs?: readonly number[];
}

/** Pages of the stack that rows with an encoder share. */
export const STACK = 20;

export interface Bench {
  /** For temporary files. */
  readonly folder: string;
  /** The stack, drawn when the first row asks. @returns raw files, one for each page; pages may share one */
  files(): Promise<readonly string[]>;
  /** Tells a person what is going on. */
  say(line: string): void;
}

/** Rows that are measured together. */
export interface Group<Key extends string = string> {
  /** Programs or files without which there is nothing to measure. */
  readonly needs: readonly string[];
  readonly rows: Readonly<Record<Key, Plan>>;
  /** @throws where a side's result is not the one that is wanted */
  measure(bench: Bench): Promise<Readonly<Record<Key, Taking>>>;
}

export interface Result extends Plan {
  /** Or why there is none. */
  readonly taking: Taking | string;
}

/** @throws with the row's name, where its check fails */
export async function resultsOf<Key extends string>(
  { needs, rows, measure }: Group<Key>,
  bench: Bench,
  lacks: (program: string) => string | false,
): Promise<Result[]> {
  const plans = Object.entries(rows) as [Key, Plan][];
  const missing = needs.map(need => lacks(need)).find(why => why !== false);
  if (missing !== undefined) return plans.map(([, plan]) => ({ ...plan, taking: missing }));
  try {
    const takings = await measure(bench);
    return plans.map(([key, plan]) => ({ ...plan, taking: takings[key] }));
  } catch (error) {
    const names = plans.map(([, { what }]) => `"${what}"`).join(', ');
    throw new Error(`Of the rows ${names}, one failed its check: ${String(error)}`, { cause: error });
  }
}
