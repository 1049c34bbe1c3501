/** A folder that acts as the feeder: its files are the sheets, and leave it when they are scanned. */
import { constants, watch } from 'node:fs';
import { lstat, mkdir, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ScanError } from '@platen/core/plugin';
import { moveAside } from './moveAside.js';
import { checkBytes, InvalidImage } from './sheetImage.js';
import { createTrayProblem, type TrayOptions } from './trayProblem.js';
import { traySheets, type TraySheet } from './traySheets.js';

/** A file that changed within this time may still be being written. */
const SETTLED_MS = 200;
/** Changes within this time are reported together. */
const DEBOUNCE_MS = 50;

export interface Tray {
  readonly path: string;
  /** Why the tray cannot be used, with the repair, as a sentence; undefined when it can. */
  problem(): Promise<string | undefined>;
  /** @throws ScanError `device-offline` when the folder cannot be read */
  sheets(): Promise<TraySheet[]>;
  /** Whether the file is no longer being written; a file that is gone counts as settled. */
  settled(file: string): Promise<boolean>;
  /**
   * The bytes of a file; undefined when it is gone, not a regular file, or changed while it was read.
   * @throws InvalidImage for a file that is too large
   */
  read(file: string): Promise<Uint8Array | undefined>;
  /** Moves files into a folder of the tray, overwriting nothing. Returns their new paths within the tray. */
  move(files: readonly string[], folder: 'scanned' | 'rejected', from?: 'scanned'): Promise<string[]>;
  insert(image: Uint8Array, name: string): Promise<void>;
  watch(onChange: () => void): () => void;
}

/** Links are not followed, and opening a pipe in place of the file does not block. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** @param path absolute */
export function trayAt(path: string, options: TrayOptions): Tray {
  const names = fileNamesIn(path);
  const problem = createTrayProblem(path, options);

  return {
    path,
    problem: problem.now,
    async sheets() {
      const linked = await problem.link();
      if (linked !== undefined) throw new ScanError('device-offline', linked);
      try {
        return traySheets(await names.list());
      } catch (error) {
        throw new ScanError('device-offline', problem.of(error), { cause: error });
      }
    },
    async settled(file) {
      const facts = await lstat(names.pathOf(file)).catch(() => undefined);
      return !facts || Math.abs(Date.now() - facts.mtimeMs) > SETTLED_MS;
    },
    async read(file) {
      let handle: Awaited<ReturnType<typeof open>> | undefined;
      try {
        handle = await open(names.pathOf(file), READ);
        const before = await handle.stat();
        if (!before.isFile()) return undefined;
        checkBytes(before.size);
        const bytes = await handle.readFile();
        const after = await handle.stat();
        return after.mtimeMs === before.mtimeMs && after.size === bytes.length ? bytes : undefined;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? '';
        if (error instanceof InvalidImage) throw error;
        if (code === 'ENOENT' || code === 'ELOOP') return undefined;
        throw await problem.failed(`The file ${join(path, file)} cannot be read`, error);
      } finally {
        await handle?.close();
      }
    },
    async move(files, folder, from) {
      const moved: string[] = [];
      try {
        const target = join(path, folder);
        // Not with `recursive`: that would make a tray anew that was taken away.
        await mkdir(target).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        });
        if (!(await lstat(target)).isDirectory()) throw new Error(`${target} is a link; make it a folder`);
        for (const file of files)
          moved.push(await moveAside(from === undefined ? names.pathOf(file) : join(path, from, file), target, file));
        return moved;
      } catch (error) {
        throw await problem.failed(`${files.join(' and ')} cannot be moved to ${folder}/ of the tray ${path}`, error);
      }
    },
    async insert(image, name) {
      const draft = join(path, `.${name}`);
      try {
        await writeFile(draft, image, { flag: 'wx' });
        const past = new Date(Date.now() - 10 * SETTLED_MS);
        await utimes(draft, past, past); // complete from the start: it need not settle
        await moveAside(draft, path, name);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw await problem.failed(`The sheet cannot be put into the tray ${path}`, error);
      }
    },
    watch: onChange => watchTray(path, onChange),
  };
}

interface FileNames {
  /** The regular files that are there now; U+FFFD stands for what is not UTF-8. */
  list(): Promise<string[]>;
  /** The path of a file by its name from the last list. */
  pathOf(name: string): string | Buffer;
}

/** The names of a folder's files as strings, also of those that are not UTF-8. */
function fileNamesIn(folder: string): FileNames {
  /** File names that are not UTF-8, by the name with U+FFFD that stands for them here. */
  let undecodable = new Map<string, Buffer>();
  return {
    async list() {
      const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
      const files = entries.filter(entry => entry.isFile()).map(({ name: raw }) => ({ raw, name: raw.toString() }));
      undecodable = new Map(files.flatMap(({ raw, name }) => (raw.equals(Buffer.from(name)) ? [] : [[name, raw]])));
      // Of two files with the same name here, the second is read when the first is gone.
      return [...new Set(files.map(({ name }) => name))];
    },
    pathOf(name) {
      const raw = undecodable.get(name);
      return raw ? Buffer.concat([Buffer.from(folder + sep), raw]) : join(folder, name);
    },
  };
}

function watchTray(path: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  try {
    const watcher = watch(path, { persistent: false }, () => {
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
    return () => {}; // no folder, or a file system without change events: core polls
  }
}
