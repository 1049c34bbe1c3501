/** A set of listeners: one that throws is logged, and the others are still called. */
import { messageOf, type Log } from '@platen/core/plugin';

export interface Listeners<Args extends readonly unknown[]> {
  /** @returns what ends the subscription; idempotent */
  add(listener: (...args: Args) => void): () => void;
  tell(...args: Args): void;
}

export function createListeners<Args extends readonly unknown[]>(log: Log): Listeners<Args> {
  const all = new Set<{ readonly listener: (...args: Args) => void }>();
  return {
    add(listener) {
      const entry = { listener };
      all.add(entry);
      return () => void all.delete(entry);
    },
    tell(...args) {
      for (const { listener } of all) {
        try {
          listener(...args);
        } catch (error) {
          log.error(`A listener failed: ${messageOf(error)}`);
        }
      }
    },
  };
}
