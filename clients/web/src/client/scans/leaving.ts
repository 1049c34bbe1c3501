/**
 * Scans that are ending because their signal was aborted, or their loop was left. A new one waits for them: the scanner
 * would be busy. React's strict mode starts everything twice.
 */
import type { Service } from '../transport/ask.js';

const leaving = new WeakMap<Service, Set<Promise<unknown>>>();

/** @param over settles when the service knows that the scan ends */
export function leave(service: Service, over: Promise<unknown>): void {
  const others = leaving.get(service) ?? new Set();
  const its = over.catch(() => undefined).finally(() => others.delete(its));
  leaving.set(service, others.add(its));
}

/** Resolves when those that are ending now have ended; undefined if there is none. */
export function left(service: Service): Promise<unknown> | undefined {
  const others = leaving.get(service);
  return others?.size ? Promise.all(others) : undefined;
}
