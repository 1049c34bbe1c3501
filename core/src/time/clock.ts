/** Time, injected: nothing in core reads a clock of its own. */

export interface Clock {
  /** Milliseconds since 1970: for what people read. It jumps when the computer's clock is corrected. */
  now(): number;
  /** Milliseconds from a point that never moves: for spans of time. */
  monotonic(): number;
  /** Calls back once after so many milliseconds. Returns what cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest that a Node timer can run; longer waits are cut to it (24.8 days). */
const LONGEST = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST));
    return () => clearTimeout(timer);
  },
};
