/** Which lines of the audit are written where anybody can cause them: a flood must not push out the older ones. */
import type { Clock } from '@platen/core';

const MINUTE_MS = 60_000;
/** Of all origins together: two files of lines last for more than a day. */
const MOST_A_MINUTE = 20;

/** @returns whether to write a line about the origin: at most one a minute */
export function createSparing(clock: Clock): (origin: string) => boolean {
  const last = new Map<string, number>();
  return origin => {
    const now = clock.monotonic();
    for (const [each, at] of last) if (now - at >= MINUTE_MS) last.delete(each);
    if (last.has(origin) || last.size >= MOST_A_MINUTE) return false;
    last.set(origin, now);
    return true;
  };
}
