/** Reads the text of a configuration file, if no other account may write it. */
import { readFile } from 'node:fs/promises';
import { assertConfigSafe } from '../rights/codeAccess.js';
import { ConfigError, systemCode } from '../configError.js';
import { platform } from '../platform.js';

/** @throws {ConfigError} that names the file, and what to do */
export async function readConfigText(file: string): Promise<string> {
  try {
    await assertConfigSafe(file);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT') throw new ConfigError(`The configuration file ${file} does not exist.`, { cause: error });
    if (code === 'EACCES' || code === 'EPERM')
      throw new ConfigError(`This account may not read the configuration ${file}. ${readable(file)}`, { cause: error });
    const why = code === 'EISDIR' ? 'it is a folder' : `the operating system's error is ${code ?? String(error)}`;
    throw new ConfigError(`The configuration ${file} cannot be read: ${why}.`, { cause: error });
  }
}

/** The command that lets the account read the file, which only its owner and administrators may run. */
const readable = (file: string): string =>
  platform === 'win32'
    ? `As administrator, run: icacls "${file}" /grant "%USERNAME%:R"`
    : `Run: sudo chmod a+r "${file}". If a folder of its path is closed: sudo chmod a+x, for that folder.`;
