/** Watches for data sources that are installed, updated or removed. */
import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Collects changes for this long: an installer writes many files. */
const SETTLE_MS = 2_000;

/** The folders in which managers look for sources. */
export const sourceFolders = ['twain_64', 'twain_32'].map(name =>
  join(process.env['SystemRoot'] ?? 'C:\\Windows', name),
);

/** A folder that does not exist or cannot be watched is ignored. @returns a function that ends the watch */
export function watchInstalled(folders: readonly string[], onChange: () => void, settleMs = SETTLE_MS): () => void {
  let settling: NodeJS.Timeout | undefined;
  let ended = false;
  let before = sourcesIn(folders);

  /** Ignores sources' log files beside them, and the access time that loading a source changes. */
  async function compare(): Promise<void> {
    const last = before;
    before = sourcesIn(folders);
    if ((await before) !== (await last) && !ended) onChange();
  }
  const changed = (): void => {
    clearTimeout(settling);
    settling = setTimeout(() => void compare(), settleMs).unref();
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
    ended = true;
    clearTimeout(settling);
    watchers.forEach(watcher => watcher.close());
  };
}

/** Every source file with its size and modification time; never rejects. */
async function sourcesIn(folders: readonly string[]): Promise<string> {
  const files = (
    await Promise.all(
      folders.map(async folder => {
        const names = await readdir(folder, { recursive: true }).catch(() => []);
        return names.filter(name => name.toLowerCase().endsWith('.ds')).map(name => join(folder, name));
      }),
    )
  ).flat();
  const facts = await Promise.all(
    files.map(file =>
      stat(file).then(
        ({ size, mtimeMs }) => `${file}\0${size}\0${mtimeMs}`,
        () => '',
      ),
    ),
  );
  return facts.sort().join('\n');
}
