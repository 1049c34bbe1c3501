/** A folder that plays the feeder: its files are paper, and leave it when they were scanned. */
import { watch as watchFolder } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { messageOf, ScanError } from '@platen/core/plugin';
import { traySheets, type TraySheet } from './traySheets.js';

/** A file that changed within so many milliseconds may still be being written. */
const SETTLED_MS = 200;
/** Several changes within so many milliseconds are one. */
const DEBOUNCE_MS = 50;

export interface Tray {
  readonly path: string;
  /** Why the tray cannot be used, with the repair, as a sentence; undefined when it can. */
  problem(): Promise<string | undefined>;
  /** @throws ScanError `device-offline` when the folder cannot be read */
  sheets(): Promise<TraySheet[]>;
  /** Whether nobody is writing this file; one that is gone is settled. */
  settled(file: string): Promise<boolean>;
  /** A file's bytes; undefined when it is gone, is no regular file any more, or changed while it was read. */
  read(file: string): Promise<Uint8Array | undefined>;
  /** Moves files into a folder of the tray, overwriting nothing. Returns their new paths within the tray. */
  move(files: readonly string[], folder: 'scanned' | 'rejected', from?: 'scanned'): Promise<string[]>;
  insert(image: Uint8Array, name: string): Promise<void>;
  watch(onChange: () => void): () => void;
}

export function trayAt(path: string, { create, owner }: { create: boolean; owner: string }): Tray {
  async function problem(): Promise<string | undefined> {
    try {
      if (create) await mkdir(path, { recursive: true });
      if (!(await stat(path)).isDirectory()) return `${trouble} is not a folder. ${REPAIR}`;
      await readdir(path);
      return undefined;
    } catch (error) {
      return why(error);
    }
  }
  const trouble = `The tray of "${owner}", ${path},`;
  const why = (error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return `${trouble} does not exist. ${REPAIR}`;
    if (code === 'ENOTDIR' || code === 'EEXIST') return `${trouble} is not a folder. ${REPAIR}`;
    return `${trouble} cannot be read (${code ?? messageOf(error)}). Give the account that runs the service access to it.`;
  };

  return {
    path,
    problem,
    async sheets() {
      try {
        const entries = await readdir(path, { withFileTypes: true });
        return traySheets(entries.filter(entry => entry.isFile()).map(entry => entry.name));
      } catch (error) {
        throw new ScanError('device-offline', why(error), { cause: error });
      }
    },
    async settled(file) {
      const facts = await lstat(join(path, file)).catch(() => undefined);
      return !facts || Math.abs(Date.now() - facts.mtimeMs) > SETTLED_MS;
    },
    async read(file) {
      const at = join(path, file);
      const before = await lstat(at).catch(() => undefined);
      if (!before?.isFile()) return undefined;
      const bytes = await readFile(at).catch(error => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new ScanError('driver-failed', `The file ${at} cannot be read: ${messageOf(error)}.`, { cause: error });
      });
      const after = await lstat(at).catch(() => undefined);
      return after?.mtimeMs === before.mtimeMs && after.size === bytes?.length ? bytes : undefined;
    },
    async move(files, folder, from) {
      const moved: string[] = [];
      try {
        const target = join(path, folder);
        await mkdir(target, { recursive: true });
        if (!(await lstat(target)).isDirectory()) throw new Error(`${target} is a link; make it a folder`);
        for (const file of files) moved.push(await moveAside(join(path, from ?? '', file), target, file));
        return moved;
      } catch (error) {
        const what = `${files.join(' and ')} cannot be moved to ${folder}/ of the tray ${path}`;
        throw new ScanError('driver-failed', `${what}: ${messageOf(error)}.`, { cause: error });
      }
    },
    async insert(image, name) {
      const draft = join(path, `.${name}`);
      try {
        await writeFile(draft, image, { flag: 'wx' });
        const past = new Date(Date.now() - 10 * SETTLED_MS);
        await utimes(draft, past, past); // whole from the start: nobody need wait for it to settle
        await moveAside(draft, path, name);
      } catch (error) {
        await rm(draft, { force: true });
        const what = `The sheet cannot be put into the tray ${path}`;
        throw new ScanError('driver-failed', `${what}: ${messageOf(error)}.`, { cause: error });
      }
    },
    watch(onChange) {
      let timer: NodeJS.Timeout | undefined;
      try {
        const watcher = watchFolder(path, { persistent: false }, () => {
          timer ??= setTimeout(() => {
            timer = undefined;
            onChange();
          }, DEBOUNCE_MS);
        });
        watcher.on('error', () => watcher.close());
        return () => {
          clearTimeout(timer);
          watcher.close();
        };
      } catch {
        return () => {}; // no folder, or a file system that cannot be watched: core polls
      }
    },
  };
}

const REPAIR = 'Make the folder, or correct "tray" in the options of @platen/driver-virtual.';

/** Renames a file into a folder under a name that is free there. The name is reserved first: renaming overwrites. */
async function moveAside(file: string, folder: string, name: string): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${stem} (${n})${extension}`;
    const target = join(folder, free);
    try {
      await (await open(target, 'wx')).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    try {
      await rename(file, target);
      return free;
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }
}
