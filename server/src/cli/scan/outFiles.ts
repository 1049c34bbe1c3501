/** The files that `platen scan` writes: names them, writes each atomically, and never overwrites one by accident. */
import { randomUUID } from 'node:crypto';
import { access, constants, link, lstat, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { ConfigError, systemCode } from '../../config/error.js';
import { outputFormats } from '../../http/dto/parameters.js';

export interface OutFiles {
  /** The format that the extension names; undefined for an unknown extension. */
  readonly format: string | undefined;
  /**
   * Checks, before paper moves, that the folder exists and the first name is free.
   * @throws {ConfigError} naming --out
   */
  check(): Promise<void>;
  /**
   * If the name was taken since the check, the page becomes `page-3 (2).png`.
   * @returns the file's path, in the form in which `--out` was typed
   * @throws the operating system's error
   */
  write(pageNumber: number, data: Uint8Array): Promise<string>;
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

  return {
    format: Object.hasOwn(outputFormats, ending.slice(1).toLowerCase()) ? ending.slice(1).toLowerCase() : undefined,

    async check() {
      const absolute = resolve(cwd, folder);
      try {
        const there = (await readdir(absolute)).filter(isOurs);
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
        for (let n = 1; ; n += 1) {
          const file = n === 1 ? own : `${own.slice(0, own.length - ending.length)} (${n})${ending}`;
          if (await place(temporary, resolve(cwd, folder, file), force ? undefined : makeLink))
            return join(folder, file);
        }
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
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
