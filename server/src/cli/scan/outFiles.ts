/** The files that `platen scan` writes: their names, and that each appears whole and in the place of no other. */
import { randomUUID } from 'node:crypto';
import { access, constants, link, lstat, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { ConfigError, systemCode } from '../../config/error.js';
import { outputFormats } from '../../http/dto/parameters.js';

export interface OutFiles {
  /** What the ending of the names says; undefined for an ending of another kind. */
  readonly format: string | undefined;
  /** Before paper moves: that there is a folder, and nothing in the way. @throws {ConfigError} naming --out */
  check(): Promise<void>;
  /**
   * A page that finds its name taken since the check goes beside it, as `page-3 (2).png`.
   * @returns the file's path, as it was typed
   * @throws what the operating system says
   */
  write(pageNumber: number, data: Uint8Array): Promise<string>;
}

/** Systems and disks that know no hard links say one of these. */
const noLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES', 'EINVAL']);
const taken = new Set(['EEXIST', 'EISDIR', 'ENOTEMPTY']);

export interface OutFilesOptions {
  /** What a relative pattern is relative to. */
  readonly cwd: string;
  /** A page may take the place of a file that is there. */
  readonly force: boolean;
  /** The system's, unless a test has a disk without hard links. */
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
    throw usage('--out takes the name of a file, such as page-%d.png.');
  if (/%\d*d/.test(folder) || /%\d*d/.test(before + after))
    throw usage(`--out takes %d, or %03d, once and in the file's name, not ${JSON.stringify(pattern)}.`);

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
            `--out: ${join(folder, there[0] ?? '')} exists already, and a page would take its place: --force lets it, or give another name.`,
          );
      } catch (error) {
        if (error instanceof ConfigError) throw error;
        const code = systemCode(error);
        if (code === 'ENOENT' || code === 'ENOTDIR') throw usage(`--out: there is no folder ${absolute}.`);
        throw usage(
          `--out: the folder ${absolute} cannot be written to by this account: the operating system says ${code ?? String(error)}.`,
        );
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
 * A link, unlike a renaming, never replaces what is there.
 * @param makeLink absent: what is there is replaced
 * @returns false where the name is taken
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
