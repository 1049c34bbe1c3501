/** Tells when a data source was installed, updated or removed. */
import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** An installer writes many files. */
const SETTLE_MS = 2_000;

/** Where managers look for sources. */
export const sourceFolders = ['twain_64', 'twain_32'].map(name => join(process.env['SystemRoot'] ?? 'C:\\Windows', name));

/** A folder that is not there, or cannot be watched, tells nothing. @returns what ends the watch */
export function watchInstalled(folders: readonly string[], onChange: () => void, settleMs = SETTLE_MS): () => void {
  let settling: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(settling);
    settling = setTimeout(onChange, settleMs).unref();
  };
  const watchers = folders.flatMap((folder): FSWatcher[] => {
    try {
      const watcher = watch(folder, { recursive: true, persistent: false }, changed);
      return [watcher.on('error', () => watcher.close())];
    } catch {
      return [];
    }
  });
  return () => {
    clearTimeout(settling);
    watchers.forEach(watcher => watcher.close());
  };
}
