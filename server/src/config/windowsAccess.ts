/** On Windows, what a mode of 0700 is elsewhere: a folder that only we, the system and administrators may look into. */
import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { ConfigError } from './error.js';

/** @returns what it printed @throws where it cannot be run, or ends with a code other than 0 */
export type RunProgram = (program: string, args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<string>;

/** Accounts that Windows has of its own are named by number, because their names are translated. */
const always = ['*S-1-5-18', '*S-1-5-32-544'];

/**
 * What is written into the folder afterwards is as private as the folder.
 * @param env has `SystemRoot`
 * @throws {ConfigError} a sentence, where Windows refuses: on a disk without access rights, such as FAT
 */
export async function keepToUs(
  dir: string,
  env: NodeJS.ProcessEnv = process.env,
  run: RunProgram = runProgram,
): Promise<void> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  try {
    const us = accountIn(await run(win32.join(system32, 'whoami.exe'), ['/user', '/fo', 'csv', '/nh']));
    const grants = [us, ...always].map(account => `${account}:(OI)(CI)F`);
    await run(win32.join(system32, 'icacls.exe'), [dir, '/inheritance:r', '/grant:r', ...grants]);
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    throw new ConfigError(
      `The folder ${dir} cannot be kept from other accounts of this computer (${why}); name one on an NTFS disk in PLATEN_DATA_DIR.`,
      { cause: error },
    );
  }
}

/** By its number; by its name where whoami says no number, as Wine's does. */
export function accountIn(said: string): string {
  const number = /S-1-[\d-]+/.exec(said)?.[0];
  const name = said.trim().split(',', 1)[0]?.replaceAll('"', '');
  if (!number && !name) throw new Error('whoami does not say which account this is');
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
