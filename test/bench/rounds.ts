/** Takings that alternate: whatever else the machine does then disturbs all sides alike. */
import { spreadOf, type Spread } from './numbers.js';

export interface RoundsWishes {
  readonly rounds: number;
  /** What is measured, for the person who waits. */
  readonly title: string;
  /** Decimals of a taking in what `say` gets. */
  readonly digits?: number;
  say(line: string): void;
}

/**
 * Takes each side once in every round, in the other order in every second one.
 * @returns each side's takings, without those of a first round, which warms up
 */
export async function alternate<Side extends string>(
  sides: Readonly<Record<Side, (isWarmUp: boolean) => Promise<number>>>,
  { rounds, title, digits = 0, say }: RoundsWishes,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const takings = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Side, number[]>;
  for (let round = 0; round <= rounds; round++) {
    const told: string[] = [];
    for (const name of round % 2 ? names : names.toReversed()) {
      const taking = await sides[name](round === 0);
      if (round > 0) takings[name].push(taking);
      told.push(`${name} ${taking.toFixed(digits)}`);
    }
    say(`${title}, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}: ${told.join(', ')}`);
  }
  return takings;
}

/** The spread of the rounds' ratios: what disturbs a round disturbs both sides of it. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(ours.map((each, round) => each / (theirs[round] ?? NaN)));
}

/** @returns milliseconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
