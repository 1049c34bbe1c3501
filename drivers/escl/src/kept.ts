/** DNS records as they are kept: until their time to live is over, and asked for again before (RFC 6762, 5.2). */

/** Seconds: what a responder gives its PTR records; longer ones are cut. */
const MOST_TTL = 4500;
/** Parts of the time to live at which the record is asked for again. */
const refresh = [0.8, 0.85, 0.9, 0.95] as const;
/** What a goodbye leaves, and what is left of an address when another one replaces it. */
const LAST_MS = 1000;

export interface Kept<T> {
  readonly value: T;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  until: number;
  /** How often it was asked for since it came. */
  asked: number;
}

/** @param ttl in seconds */
export function keep<T>(value: T, ttl: number | undefined, now: number): Kept<T> {
  const seconds = Math.min(Math.max(ttl ?? MOST_TTL, 1), MOST_TTL);
  return { value, at: now, until: now + seconds * 1000, asked: 0 };
}

/** Another word of the sender ends it: it lasts for another second, in which somebody may say that it is still so. */
export function fade(kept: Kept<unknown>, now: number): void {
  kept.until = Math.min(kept.until, now + LAST_MS);
  kept.asked = refresh.length;
}

export const isOver = (kept: Kept<unknown>, now: number): boolean => now >= kept.until;

/** When it is asked for again; Infinity when it was asked for often enough. */
export function nextAsk({ at, until, asked }: Kept<unknown>): number {
  const part = refresh[asked];
  return part === undefined ? Infinity : at + (until - at) * part;
}
