/** The data folder: certificate, trays and spool, private to the service's account. */
import { access, chmod, constants, mkdir, open, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { accessOf } from '../rights/access.js';
import { foreignFolder, isMarked, mark } from './dataFolderMark.js';
import { ConfigError, systemCode } from '../configError.js';
import { platform } from '../platform.js';
import type { Warn } from './windowsDataFolder.js';

/**
 * The operating system's place for an application's data. On Windows it is the user's folder and not %ProgramData%,
 * which every account of the computer can read.
 */
export function defaultDataFolder(
  env: NodeJS.ProcessEnv,
  system: NodeJS.Platform = platform,
  home: string = homedir(),
): string {
  if (system === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Platen');
  if (system === 'darwin') return join(home, 'Library', 'Application Support', 'Platen');
  const data = env['XDG_DATA_HOME'];
  // The XDG base directory specification says to ignore a relative path in the variable.
  return join(data?.startsWith('/') === true ? data : join(home, '.local', 'share'), 'platen');
}

/**
 * Creates the folder (0700) if it does not exist, marks an empty one as Platen's, and checks that it is writable and
 * who else may use it. Changes nothing in any other folder.
 * @param warn takes a sentence if Windows does not tell who may use it
 * @throws {ConfigError} with the folder's fault
 */
export async function prepareDataFolder(dir: string, warn: Warn = () => undefined): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const fault = platform === 'win32' ? await onWindows(dir, warn) : undefined;
    if (fault !== undefined) throw new ConfigError(fault);
    await claim(dir);
    await probe(dir);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Node reports a read-only file system as a folder that is not there.
    const cause = systemCode(error) === 'ENOENT' ? ((await writeFault(dirname(dir))) ?? error) : error;
    throw new ConfigError(dataFolderSentence(dir, cause), { cause });
  }
}

/** Loaded where it is needed: a process that only asks for a lock starts without it. */
async function onWindows(dir: string, warn: Warn): Promise<string | undefined> {
  const { checkedOnWindows } = await import('./windowsDataFolder.js');
  return checkedOnWindows(dir, warn);
}

/** Why nothing can be made in the folder, or in the nearest one above it that exists; undefined if something can. */
async function writeFault(folder: string): Promise<unknown> {
  const fault = await access(folder, constants.W_OK).then(
    () => undefined,
    (error: unknown) => error,
  );
  return systemCode(fault) === 'ENOENT' && folder !== dirname(folder) ? writeFault(dirname(folder)) : fault;
}

/**
 * Call it before removing something from the folder; it changes nothing.
 * @throws {ConfigError} if the folder exists and is not Platen's
 */
export async function checkDataFolder(dir: string): Promise<void> {
  const problem = await foreignFolder(dir, { anyOwner: process.geteuid?.() === 0 }).catch((error: unknown) =>
    systemCode(error) === 'ENOENT' ? undefined : dataFolderSentence(dir, error),
  );
  if (problem !== undefined) throw new ConfigError(problem);
}

/** The sentence for a failed call of the operating system in the data folder. */
export function dataFolderSentence(dir: string, error: unknown): string {
  const code = systemCode(error);
  if (code === 'ENOTDIR' || code === 'EEXIST') return `The data folder ${dir} is not a folder.`;
  if (code === 'EROFS')
    return `The data folder ${dir} is on a file system that is mounted read-only. Mount it for writing, or set PLATEN_DATA_DIR to another folder.`;
  if (code === 'EACCES' || code === 'EPERM') {
    return `This account cannot write to the data folder ${dir}. Set PLATEN_DATA_DIR to another folder.`;
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk of the data folder ${dir} is full.`;
  return `The data folder ${dir} cannot be used (${code ?? String(error)}).`;
}

async function claim(dir: string): Promise<void> {
  const problem = await foreignFolder(dir);
  if (problem !== undefined) throw new ConfigError(problem);
  if ((await accessOf(dir))?.shared === true) await chmod(dir, 0o700);
  if (!(await isMarked(dir))) await mark(dir);
}

async function probe(dir: string): Promise<void> {
  const path = join(dir, `.probe-${process.pid}`);
  const file = await open(path, 'w', 0o600);
  try {
    await file.write('a full disk takes no byte');
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
