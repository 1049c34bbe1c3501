/** Random choices that a seed repeats. */

export interface Random {
  /** From 0 to below `below`. */
  whole(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** @param share how often it is true, from 0 to 1 */
  chance(share: number): boolean;
}

/** mulberry32 */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number): number => Math.floor(next() * below);
  return { whole, pick: list => list[whole(list.length)]!, chance: share => next() < share };
}
