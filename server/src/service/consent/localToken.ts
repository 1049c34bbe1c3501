/** The secret that local programs must send: in a file that only the service's account can read. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../../machine/configError.js';
import { newSecret } from './questions.js';

export const tokenFile = (dataDir: string): string => join(dataDir, 'local.token');

/** Makes one if there is none. @throws the operating system's error */
export async function localToken(dataDir: string): Promise<string> {
  const file = tokenFile(dataDir);
  const found = await readToken(dataDir);
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
export async function readToken(dataDir: string): Promise<string | undefined> {
  try {
    const text = (await readFile(tokenFile(dataDir), 'utf8')).trim();
    return /^[\w-]{43}$/.test(text) ? text : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
