/**
 * Which of several certificates to serve. The answer depends on nothing but them and the clock: a clock that jumps and
 * comes back leaves no trace.
 *
 * ```
 * first  ├──────────── 824 days ────────────┤
 * second                         ├── 60 ────┼──────── 824 days ────────┤
 *                                    ▲ the second is served: 30 days before the first ends
 * ```
 */

export interface Period {
  readonly begins: Date;
  readonly expires: Date;
}

/** @returns whether the stores that trust one of the certificates trust this one */
export type IsTrusted<T> = (each: T) => boolean;

const DAY_MS = 24 * 60 * 60 * 1000;
/** A certificate is replaced this long before its end. */
const SWITCH_MS = 30 * DAY_MS;
/** A successor begins this long before the end of the one before it: clocks differ, and a store may be late. */
const OVERLAP_MS = 60 * DAY_MS;

export const isValid = ({ begins, expires }: Period, now: Date): boolean => begins <= now && now < expires;

/**
 * The oldest one that stays valid for 30 days. One that the stores do not trust only takes the place of one that is no
 * longer valid.
 * @returns undefined if none is valid
 */
export function chooseCurrent<T extends Period>(
  all: readonly T[],
  now: Date,
  isTrusted: IsTrusted<T> = () => true,
): T | undefined {
  const valid = all.filter(each => isValid(each, now)).sort((a, b) => a.expires.getTime() - b.expires.getTime());
  const lasting = valid.filter(({ expires }) => expires.getTime() - now.getTime() > SWITCH_MS);
  return lasting.find(isTrusted) ?? valid.findLast(isTrusted) ?? lasting[0] ?? valid.at(-1);
}

/** This certificate and those that follow it without a gap, in their order. */
export function chainFrom<T extends Period>(
  first: T,
  all: readonly T[],
  isTrusted: IsTrusted<T> = () => true,
): readonly [T, ...T[]] {
  const chain: [T, ...T[]] = [first];
  for (;;) {
    const last = chain.at(-1) ?? first;
    const next = all
      .filter(each => each.expires > last.expires && each.begins < last.expires && isTrusted(each))
      .sort((a, b) => a.expires.getTime() - b.expires.getTime())[0];
    if (!next) return chain;
    chain.push(next);
  }
}

/** When the one after this begins; now, if that time has passed. */
export const nextBegin = ({ expires }: Pick<Period, 'expires'>, now: Date): Date =>
  new Date(Math.max(now.getTime(), expires.getTime() - OVERLAP_MS));
