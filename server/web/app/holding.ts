/** Which scans this tab shows or offers, so that no other tab shows, discards or lets go the same ones. */

/** Ends of this tab's locks, by scan. The browser ends them with the tab, however that ends. */
const ends = new Map<string, () => void>();
/** A reloaded or closed tab takes a moment to lose its locks. */
const PATIENCE_MS = 1000;

/** @returns whether this tab holds the scan; false if another one does */
export async function hold(scan: string): Promise<boolean> {
  if (ends.has(scan)) return true;
  // Missing in browsers before 2022.
  const locks = (navigator as { readonly locks?: LockManager }).locks;
  if (!locks) return true;
  const late = new AbortController();
  setTimeout(() => late.abort(), PATIENCE_MS);
  return new Promise(resolve => {
    const keep = (): Promise<void> =>
      new Promise(end => {
        ends.set(scan, end);
        resolve(true);
      });
    locks.request(`platen.scan.${scan}`, { signal: late.signal }, keep).catch(() => resolve(false));
  });
}

export function release(scan: string): void {
  ends.get(scan)?.();
  ends.delete(scan);
}
