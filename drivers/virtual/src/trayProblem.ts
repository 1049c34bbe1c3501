/** Why a tray cannot be used, as sentences that name the repair. */
import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { messageOf, ScanError } from '@platen/core/plugin';

export interface TrayOptions {
  /** Make the folder if it does not exist. */
  readonly create: boolean;
  /** The scanner's name. */
  readonly owner: string;
  /** Below this folder no symbolic link is followed. Absent: the tray's path is used as it is. */
  readonly below?: string | undefined;
}

export interface TrayProblem {
  /** What is wrong with the folder now; undefined: nothing. Makes the folder first, if the options say so. */
  now(): Promise<string | undefined>;
  /** The symbolic link on the way to the tray, if one is there and may not be followed. */
  link(): Promise<string | undefined>;
  /** The problem behind an error of the file system. */
  of(error: unknown): string;
  /** What to throw when something in the tray failed: a tray that was taken away is a scanner that was unplugged. */
  failed(what: string, error: unknown): Promise<ScanError>;
}

const REPAIR = 'Make the folder, or correct "tray" in the options of @platen/driver-virtual.';

/** @param path absolute */
export function createTrayProblem(path: string, { create, owner, below }: TrayOptions): TrayProblem {
  const trayOf = `The tray of "${owner}", ${path},`;

  async function link(): Promise<string | undefined> {
    const found = below === undefined ? undefined : await linkBetween(below, path);
    return found === undefined
      ? undefined
      : `${trayOf} is not used: ${found} is a link. Make it a folder, or give the absolute path of the folder as "tray" in the options of @platen/driver-virtual.`;
  }

  function of(error: unknown): string {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return `${trayOf} does not exist. ${REPAIR}`;
    if (code === 'ENOTDIR' || code === 'EEXIST') return `${trayOf} is not a folder. ${REPAIR}`;
    return `${trayOf} cannot be read (${code ?? messageOf(error)}). Give the account that runs the service access to it.`;
  }

  async function now(make: boolean): Promise<string | undefined> {
    try {
      const linked = await link();
      if (linked !== undefined) return linked;
      if (make) await mkdir(path, { recursive: true });
      if (!(await stat(path)).isDirectory()) return `${trayOf} is not a folder. ${REPAIR}`;
      await readdir(path);
      return undefined;
    } catch (error) {
      return of(error);
    }
  }

  return {
    now: () => now(create),
    link,
    of,
    async failed(what, error) {
      const gone = await now(false);
      return gone === undefined
        ? new ScanError('driver-failed', `${what}: ${messageOf(error)}.`, { cause: error })
        : new ScanError('device-offline', gone, { cause: error });
    },
  };
}

/** The first symbolic link on the path from a folder to one below it, that one included. */
async function linkBetween(folder: string, path: string): Promise<string | undefined> {
  if (path === folder || !path.startsWith(folder + sep)) return undefined;
  const above = await linkBetween(folder, dirname(path));
  if (above !== undefined) return above;
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ? path : undefined;
}
