/** Tells when the files of a configuration were changed, added or removed. */
import { statSync, watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** After the last event: an editor or a package manager writes several files. */
const SETTLE_MS = 250;

export interface FileWatch {
  /** Files, and folders of which each file counts. They need not exist. */
  paths(): readonly string[];
  /** Called after a change; not for one before the first look. */
  changed(): void;
  /** Called with why changes cannot be seen there. */
  unseen(folder: string, error: unknown): void;
}

/** Resolves when it has looked once. @returns ends it */
export async function watchFiles({ paths, changed, unseen }: FileWatch): Promise<() => void> {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly ino: number | undefined }>();
  let seen: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), SETTLE_MS);
    timer.unref();
  };

  async function look(): Promise<void> {
    const all = paths();
    follow(all);
    const now = JSON.stringify(await Promise.all(all.map(stampsOf)));
    if (isOver) return;
    const isNew = seen !== undefined && seen !== now;
    seen = now;
    if (isNew) changed();
  }

  /** Folders, because an editor replaces a file. A folder that does not exist is seen in the one above. */
  function follow(all: readonly string[]): void {
    const folders = new Set(all.flatMap(path => [path, dirname(path)]));
    for (const folder of folders) {
      const ino = statSync(folder, { throwIfNoEntry: false })?.ino;
      const own = watchers.get(folder);
      // Another one is in its place.
      if (own && own.ino !== ino) stop(folder);
      if (ino !== undefined && !watchers.has(folder)) start(folder, ino);
    }
  }

  function start(folder: string, ino: number): void {
    try {
      const watcher = watch(folder, { persistent: false }, soon);
      watchers.set(folder, { watcher, ino });
      watcher.on('error', () => (stop(folder), soon()));
    } catch (error) {
      unseen(folder, error);
    }
  }

  function stop(folder: string): void {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  }

  await look();
  return () => {
    isOver = true;
    clearTimeout(timer);
    for (const folder of [...watchers.keys()]) stop(folder);
  };
}

/** Of a file, or of each file in a folder. */
async function stampsOf(path: string): Promise<unknown> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return null;
  if (!found.isDirectory()) return [found.size, found.mtimeMs, found.ino];
  const names = (await readdir(path).catch(() => [])).sort();
  return Promise.all(names.map(async name => [name, await stampOfFile(join(path, name))]));
}

async function stampOfFile(file: string): Promise<unknown> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? [found.size, found.mtimeMs, found.ino] : null;
}
