/** A fake clock that counts pending timers. */
import { fakeClock } from '@platen/conformance';

export function countingClock() {
  const clock = fakeClock();
  const left = new Set<object>();
  return {
    ...clock,
    get timers() {
      return left.size;
    },
    after(ms: number, callback: () => void): () => void {
      const timer = {};
      left.add(timer);
      const cancel = clock.after(ms, () => (left.delete(timer), callback()));
      return () => (left.delete(timer), cancel());
    },
  };
}
