/** The equivalent of mode 0700 on Windows: a folder for this account, the system, administrators and the service. */
import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { ConfigError } from '../configError.js';

/** @returns its output @throws if it cannot be started, or its exit code is not 0 */
export type RunProgram = (program: string, args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<string>;

/** Windows' built-in accounts are given by SID, because their names are translated. */
const always = ['*S-1-5-18', '*S-1-5-32-544'];

/**
 * Files written into the folder afterwards inherit its access rights.
 * @param readers further accounts that may read it, as SIDs: those of services
 * @param env has `SystemRoot`
 * @throws {ConfigError} if Windows refuses: on a disk without access rights, such as FAT
 */
export async function keepToUs(
  dir: string,
  readers: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
  run: RunProgram = runProgram,
): Promise<void> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  try {
    const us = accountIn(await run(win32.join(system32, 'whoami.exe'), ['/user', '/fo', 'csv', '/nh']));
    const own = [us, ...always].map(account => `${account}:(OI)(CI)F`);
    const others = readers.filter(sid => `*${sid}` !== us).map(sid => `*${sid}:(OI)(CI)RX`);
    await run(win32.join(system32, 'icacls.exe'), [dir, '/inheritance:r', '/grant:r', ...own, ...others]);
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    throw new ConfigError(
      `Could not restrict access to the folder ${dir} (${why}). Set PLATEN_DATA_DIR to a folder on an NTFS drive.`,
      { cause: error },
    );
  }
}

/** The account's SID; its name if whoami prints no SID, as Wine's does not. */
export function accountIn(said: string): string {
  const number = /S-1-[\d-]+/.exec(said)?.[0];
  const name = said.trim().split(',', 1)[0]?.replaceAll('"', '');
  if (!number && !name) throw new Error('whoami did not print the account');
  return number ? `*${number}` : name!;
}

export function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { windowsHide: true, env }, (error, out, err) =>
      error ? reject(new Error(err.trim() || error.message, { cause: error })) : resolve(out),
    );
  });
}
