/** Who wants to be told; one that throws spoils it for nobody else. */
import { messageOf, type Log } from '@platen/core/plugin';

export interface Listeners<Args extends readonly unknown[]> {
  /** @returns what ends it, also when it is called twice */
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
