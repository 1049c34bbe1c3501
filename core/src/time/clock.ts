/** Time, injected: core reads no other clock. */

export interface Clock {
  /** Milliseconds since 1970, for people. Jumps when the system clock is corrected. */
  now(): number;
  /** Milliseconds from a fixed point, for durations. */
  monotonic(): number;
  /** Calls back once after this many milliseconds. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** Node's longest timer, 24.8 days; longer waits are cut to it. */
const LONGEST = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST));
    return () => clearTimeout(timer);
  },
};
