/** A folder that acts as the feeder: its files are the sheets, and leave it when they are scanned. */
import { constants, watch as watchFolder } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, extname, join, sep } from 'node:path';
import { messageOf, ScanError } from '@platen/core/plugin';
import { checkBytes, InvalidImage } from './sheetImage.js';
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

export interface TrayOptions {
  /** Make the folder if it does not exist. */
  readonly create: boolean;
  /** The scanner's name. */
  readonly owner: string;
  /** Below this folder no symbolic link is followed. Absent: the tray's path is used as it is. */
  readonly below?: string | undefined;
}

/** @param path absolute */
export function trayAt(path: string, { create, owner, below }: TrayOptions): Tray {
  /** File names that are not UTF-8, by the name with U+FFFD that stands for them here. */
  let undecodable = new Map<string, Buffer>();
  const pathOf = (file: string): string | Buffer => {
    const raw = undecodable.get(file);
    return raw ? Buffer.concat([Buffer.from(path + sep), raw]) : join(path, file);
  };
  async function names(): Promise<string[]> {
    const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' });
    const files = entries.filter(entry => entry.isFile()).map(({ name: raw }) => ({ raw, name: raw.toString() }));
    undecodable = new Map(files.flatMap(({ raw, name }) => (raw.equals(Buffer.from(name)) ? [] : [[name, raw]])));
    // Of two files with the same name here, the second is read when the first is gone.
    return [...new Set(files.map(({ name }) => name))];
  }
  async function leadsElsewhere(): Promise<string | undefined> {
    const link = below === undefined ? undefined : await linkBetween(below, path);
    return link === undefined
      ? undefined
      : `${trayOf} is not used: ${link} is a link. Make it a folder, or give the absolute path of the folder as "tray" in the options of @platen/driver-virtual.`;
  }
  async function problem(make = create): Promise<string | undefined> {
    try {
      const linked = await leadsElsewhere();
      if (linked !== undefined) return linked;
      if (make) await mkdir(path, { recursive: true });
      if (!(await stat(path)).isDirectory()) return `${trayOf} is not a folder. ${REPAIR}`;
      await readdir(path);
      return undefined;
    } catch (error) {
      return why(error);
    }
  }
  const trayOf = `The tray of "${owner}", ${path},`;
  const why = (error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return `${trayOf} does not exist. ${REPAIR}`;
    if (code === 'ENOTDIR' || code === 'EEXIST') return `${trayOf} is not a folder. ${REPAIR}`;
    return `${trayOf} cannot be read (${code ?? messageOf(error)}). Give the account that runs the service access to it.`;
  };

  /** A tray that was taken away in the meantime is a scanner that was unplugged. */
  const failed = async (what: string, error: unknown) => {
    const gone = await problem(false);
    return gone === undefined
      ? new ScanError('driver-failed', `${what}: ${messageOf(error)}.`, { cause: error })
      : new ScanError('device-offline', gone, { cause: error });
  };

  return {
    path,
    problem: () => problem(),
    async sheets() {
      const linked = await leadsElsewhere();
      if (linked !== undefined) throw new ScanError('device-offline', linked);
      try {
        return traySheets(await names());
      } catch (error) {
        throw new ScanError('device-offline', why(error), { cause: error });
      }
    },
    async settled(file) {
      const facts = await lstat(pathOf(file)).catch(() => undefined);
      return !facts || Math.abs(Date.now() - facts.mtimeMs) > SETTLED_MS;
    },
    async read(file) {
      let handle: Awaited<ReturnType<typeof open>> | undefined;
      try {
        handle = await open(pathOf(file), READ);
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
        throw await failed(`The file ${join(path, file)} cannot be read`, error);
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
          moved.push(await moveAside(from === undefined ? pathOf(file) : join(path, from, file), target, file));
        return moved;
      } catch (error) {
        throw await failed(`${files.join(' and ')} cannot be moved to ${folder}/ of the tray ${path}`, error);
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
        throw await failed(`The sheet cannot be put into the tray ${path}`, error);
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
        return () => {}; // no folder, or a file system without change events: core polls
      }
    },
  };
}

const REPAIR = 'Make the folder, or correct "tray" in the options of @platen/driver-virtual.';

/** Links are not followed, and opening a pipe in place of the file does not block. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The first symbolic link on the path from a folder to one below it, that one included. */
async function linkBetween(folder: string, path: string): Promise<string | undefined> {
  if (path === folder || !path.startsWith(folder + sep)) return undefined;
  const above = await linkBetween(folder, dirname(path));
  if (above !== undefined) return above;
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ? path : undefined;
}

/** Every file system supports names of this many bytes. */
const MAX_NAME_BYTES = 140;

/** The name with a number, `page (2).png`; it never becomes longer than a file system may support. */
function numbered(name: string, n: number): string {
  const extension = Buffer.byteLength(extname(name)) > 20 ? '' : extname(name);
  const tail = n === 1 ? extension : ` (${n})${extension}`;
  const max = Math.max(MAX_NAME_BYTES, Math.min(Buffer.byteLength(name), 255)) - Buffer.byteLength(tail);
  let stem = name.slice(0, name.length - extension.length);
  while (Buffer.byteLength(stem) > max) stem = [...stem].slice(0, -1).join('');
  return stem + tail;
}

/** Renames a file into a folder under a free name. The name is reserved first, since renaming overwrites. */
async function moveAside(file: string | Buffer, folder: string, name: string): Promise<string> {
  for (let n = 1; ; n++) {
    const free = numbered(name, n);
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
