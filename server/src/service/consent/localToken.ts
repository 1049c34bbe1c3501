/** Secrets that local programs must send: in files that only the service's account can read. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../../machine/configError.js';
import { newSecret } from './questions.js';

/** `local`: of any program, where `security.localPrograms` asks for it; `settings`: of the command that changes settings. */
export type TokenName = 'local' | 'settings';

export const tokenFile = (dataDir: string, name: TokenName = 'local'): string => join(dataDir, `${name}.token`);

/** Makes one if there is none. @throws the operating system's error */
export async function localToken(dataDir: string, name: TokenName = 'local'): Promise<string> {
  const file = tokenFile(dataDir, name);
  const found = await readToken(dataDir, name);
  if (found !== undefined) return found;
  const token = newSecret();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A file that is there keeps its rights.
  await rm(`${file}.new`, { force: true });
  await writeFile(`${file}.new`, `${token}\n`, { mode: 0o600, flag: 'wx' });
  await rename(`${file}.new`, file);
  return token;
}

/** Undefined if there is none. @throws the operating system's error, if this account may not read it */
export async function readToken(dataDir: string, name: TokenName = 'local'): Promise<string | undefined> {
  try {
    const text = (await readFile(tokenFile(dataDir, name), 'utf8')).trim();
    return /^[\w-]{43}$/.test(text) ? text : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
