/** The files that `platen scan` writes: names them, writes each atomically, and never overwrites one by accident. */
import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  link,
  lstat,
  open,
  readdir,
  rename,
  rm,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { ConfigError, systemCode } from '../../machine/configError.js';
import { imageFormats } from './flags.js';

export interface OutFiles {
  /** Of the pattern, in lower case, without the dot; empty if it has none. */
  readonly extension: string;
  /** The extension, if it names an image format of the interface. */
  readonly format: string | undefined;
  /** Whether the pattern has `%d`. */
  readonly isNumbered: boolean;
  /**
   * Checks, before paper moves, that the folder exists and can be written, and that the names are free.
   * @param count `one`: only the first name is needed
   * @throws {ConfigError} naming --out
   */
  check(count?: 'one' | 'several'): Promise<void>;
  /**
   * If the name was taken since the check, the page becomes `page-3 (2).png`.
   * @returns the file's path, in the form in which `--out` was typed
   * @throws the operating system's error
   */
  write(pageNumber: number, data: Uint8Array): Promise<string>;
  /**
   * Writes a document into `letter.pdf.part`, which gets its name when all of it is on the disk, and is removed when it
   * fails. If the name was taken since the check, the document becomes `letter (2).pdf`.
   * @param number counts documents
   * @returns the file's path, in the form in which `--out` was typed, and its size in bytes
   * @throws what `chunks` throws, and the operating system's error
   */
  stream(number: number, chunks: AsyncIterable<Uint8Array>): Promise<{ readonly file: string; readonly bytes: number }>;
}

/** What systems and disks without hard links answer. */
const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES', 'EINVAL']);
const taken = new Set(['EEXIST', 'EISDIR', 'ENOTEMPTY']);

export interface OutFilesOptions {
  /** The base of a relative pattern. */
  readonly cwd: string;
  /** Existing files are overwritten. */
  readonly force: boolean;
  /** The system's `link`; a test passes one that fails as a disk without hard links does. */
  readonly makeLink?: typeof link;
}

/**
 * @param pattern with `%d`, or `%03d`, for the page's number; without one, `page.png` is followed by `page-2.png`
 * @throws {ConfigError} naming --out and what it takes
 */
export function outFiles(pattern: string, { cwd, force, makeLink = link }: OutFilesOptions): OutFiles {
  const [folder, name] = [dirname(pattern), basename(pattern)];
  const ending = extname(name);
  const extension = ending.slice(1).toLowerCase();
  const [first = '', width = ''] = /%(?:0([1-9]))?d/.exec(name) ?? [];
  const numbered = first !== '';
  const before = numbered ? name.slice(0, name.indexOf(first)) : name.slice(0, name.length - ending.length);
  const after = numbered ? name.slice(name.indexOf(first) + first.length) : ending;
  if (name === '' || name === '.' || name === '..' || /[/\\]$/.test(pattern))
    throw usage('--out takes a file name, such as page-%d.png.');
  if (/%\d*d/.test(folder) || /%\d*d/.test(before + after))
    throw usage(`--out takes %d or %03d once, in the file's name, not ${JSON.stringify(pattern)}.`);

  const nameOf = (page: number): string => {
    if (numbered) return `${before}${String(page).padStart(Number(width), '0')}${after}`;
    return page === 1 ? name : `${before}-${page}${after}`;
  };
  const isOurs = (file: string): boolean => {
    const number = file.slice(before.length + (numbered ? 0 : 1), file.length - after.length);
    return file === nameOf(1) || (/^\d+$/.test(number) && file === nameOf(Number(number)));
  };

  /** Gives a whole file its name, or the next one that is free. */
  const named = async (temporary: string, own: string): Promise<string> => {
    for (let n = 1; ; n += 1) {
      const file = n === 1 ? own : `${own.slice(0, own.length - ending.length)} (${n})${ending}`;
      if (await place(temporary, resolve(cwd, folder, file), force ? undefined : makeLink)) return join(folder, file);
    }
  };

  return {
    extension,
    format: Object.hasOwn(imageFormats, extension) ? extension : undefined,
    isNumbered: numbered,

    async check(count = 'several') {
      const absolute = resolve(cwd, folder);
      try {
        const all = await readdir(absolute);
        const there = all.filter(file => (count === 'one' ? file === nameOf(1) : isOurs(file)));
        await access(absolute, constants.W_OK | constants.X_OK);
        if (there.length > 0 && !force)
          throw usage(
            `--out: ${join(folder, there[0] ?? '')} already exists. Give another name, or overwrite it with --force.`,
          );
      } catch (error) {
        if (error instanceof ConfigError) throw error;
        const code = systemCode(error);
        if (code === 'ENOENT' || code === 'ENOTDIR') throw usage(`--out: the folder ${absolute} does not exist.`);
        throw usage(`--out: this account cannot write to the folder ${absolute} (${code ?? String(error)}).`);
      }
    },

    async write(pageNumber, data) {
      const own = nameOf(pageNumber);
      const temporary = resolve(cwd, folder, `.platen-${randomUUID()}.part`);
      try {
        await writeFile(temporary, data, { flag: 'wx' });
        return await named(temporary, own);
      } finally {
        await rm(temporary, { force: true });
      }
    },

    async stream(number, chunks) {
      const own = nameOf(number);
      const { part, handle } = await openPart(resolve(cwd, folder, own));
      try {
        let bytes: number;
        try {
          await writeFile(handle, chunks);
          await handle.sync();
          bytes = (await handle.stat()).size;
        } finally {
          await handle.close();
        }
        return { file: await named(part, own), bytes };
      } finally {
        await rm(part, { force: true });
      }
    },
  };
}

/** A part that is left of a command that was killed stays: another command may still write it. */
async function openPart(file: string): Promise<{ readonly part: string; readonly handle: FileHandle }> {
  for (let n = 1; ; n += 1) {
    const part = `${file}${n === 1 ? '' : ` (${n})`}.part`;
    try {
      return { part, handle: await open(part, 'wx') };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

/**
 * A link, unlike a rename, never replaces an existing file.
 * @param makeLink absent: an existing file is replaced
 * @returns false if the name is taken
 */
async function place(temporary: string, file: string, makeLink: typeof link | undefined): Promise<boolean> {
  try {
    await (makeLink ?? rename)(temporary, file);
    return true;
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (taken.has(code)) return false;
    if (!makeLink || !noLinks.has(code)) throw error;
  }
  if (await lstat(file).catch(() => undefined)) return false;
  await rename(temporary, file);
  return true;
}

function usage(sentence: string): ConfigError {
  return new ConfigError(sentence, { code: 'usage' });
}
