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

export interface Counted<Line> {
  add(line: Line): void;
  /** Writes what is counted, and stops all timers. */
  close(): void;
}

/** Different lines that are counted at a time; a few more are of no single origin. */
const MOST_COUNTED = 100;
/** Of these, the lines that say all; beyond, they say less, so that there are fewer. */
const MOST_WHOLE = 80;

/**
 * Writes the first of equal lines at once, and further ones together, with their count, at the end of each minute: an allowed
 * page that repeats a call must not push out the older lines.
 * @param shorter a line that counts for many, and then one that counts for more, where there are too many different ones;
 *   few of the last differ
 */
export function createCounted<Line>(
  clock: Clock,
  write: (line: Line, count: number) => void,
  shorter: (line: Line) => readonly [Line, Line],
): Counted<Line> {
  const all = new Map<string, { more: number; end(): void; readonly flush: () => void }>();
  return {
    add(given) {
      const [short, shortest] = shorter(given);
      const fits = (line: Line, most: number): boolean => all.has(JSON.stringify(line)) || all.size < most;
      const line = fits(given, MOST_WHOLE) ? given : fits(short, MOST_COUNTED) ? short : shortest;
      const key = JSON.stringify(line);
      const before = all.get(key);
      if (before) return void before.more++;
      const flush = (): void => {
        if (its.more > 0) write(line, its.more);
        its.more = 0;
      };
      const minute = (): (() => void) =>
        clock.after(MINUTE_MS, () => {
          if (its.more === 0) return void all.delete(key);
          flush();
          its.end = minute();
        });
      const its = { more: 0, end: (): void => undefined, flush };
      all.set(key, its);
      its.end = minute();
      write(line, 1);
    },
    close() {
      for (const { end, flush } of all.values()) {
        end();
        flush();
      }
      all.clear();
    },
  };
}
