/** Which scans a component shows or offers, so that no other one shows, discards or lets go the same scans. */

export interface ScanLocks {
  /** @returns whether this component holds the scan; false if another one does, in this tab or another */
  hold(scan: string): Promise<boolean>;
  release(scan: string): void;
  releaseAll(): void;
}

/** A reloaded or closed tab takes a moment to lose its locks. */
const PATIENCE_MS = 1000;

export function createScanLocks(): ScanLocks {
  /** Ends of the locks, by scan. The browser ends them with the tab, however that ends. */
  const ends = new Map<string, () => void>();
  const release = (scan: string): void => {
    ends.get(scan)?.();
    ends.delete(scan);
  };
  return {
    async hold(scan) {
      if (ends.has(scan)) return true;
      // Missing in browsers before 2022, and in pages that are not secure.
      const locks = (navigator as { readonly locks?: LockManager }).locks;
      if (!locks) return true;
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), PATIENCE_MS);
      return new Promise(resolve => {
        const keep = (): Promise<void> =>
          new Promise(end => {
            clearTimeout(timer);
            ends.set(scan, end);
            resolve(true);
          });
        locks.request(`platen.scan.${scan}`, { signal: late.signal }, keep).catch(() => resolve(false));
      });
    },
    release,
    releaseAll() {
      for (const scan of [...ends.keys()]) release(scan);
    },
  };
}
