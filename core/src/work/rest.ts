/** Memory that is given back when the service rests: some seconds after the last scan. */

const holders = new Set<() => void>();

/**
 * @param giveBack called at each rest; may not throw
 * @returns a function that calls it off
 */
export function whenAtRest(giveBack: () => void): () => void {
  holders.add(giveBack);
  return () => void holders.delete(giveBack);
}

/** Called by the service. What is in use stays: a scan may begin meanwhile. */
export function giveBackMemory(): void {
  for (const giveBack of holders) giveBack();
}
