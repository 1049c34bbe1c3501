/**
 * The grants of an administrator: `origins.json` beside the configuration. An origin in it is decided by it alone. Read
 * again when it changes.
 */
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, type Log } from '@platen/core';
import { codeDangers } from '../config/codeAccess.js';
import { ConfigError, systemCode } from '../config/error.js';
import { parseJson } from '../json.js';
import { grantIn, type Grant } from './grant.js';

const LOOK_MS = 2000;

export interface AdministratorsGrants {
  /** By origin. */
  read(): ReadonlyMap<string, Grant>;
  close(): void;
}

export const administratorsFile = (configFile: string): string => join(dirname(configFile), 'origins.json');

/** @throws {ConfigError} if the file is there and cannot be used */
export async function openAdministratorsGrants(
  configFile: string,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): Promise<AdministratorsGrants> {
  const file = administratorsFile(configFile);
  let grants = await readAdministratorsGrants(file, log.warn);
  let looks = 0;
  const again = async (): Promise<void> => {
    const its = ++looks;
    try {
      const found = await readAdministratorsGrants(file, log.warn);
      if (its !== looks) return;
      grants = found;
      log.info(`Read ${file} again: ${grants.size} origins.`);
    } catch (error) {
      log.error(`${messageOf(error)} The grants that were read before stay.`);
    }
  };
  watchFile(file, { interval: LOOK_MS, persistent: false }, () => void again());
  return { read: () => grants, close: () => unwatchFile(file) };
}

/** Empty if there is no file. @throws {ConfigError} */
export async function readAdministratorsGrants(
  file: string,
  warn: (sentence: string) => void,
): Promise<ReadonlyMap<string, Grant>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return new Map();
    throw new ConfigError(`${file} cannot be read (${systemCode(error) ?? String(error)}).`, { cause: error });
  }
  const [danger] = await codeDangers([file], warn);
  if (danger !== undefined) throw new ConfigError(`${file} was rejected: ${danger}.`);
  try {
    const value = parseJson(text);
    const { grants } = (value ?? {}) as { grants?: unknown };
    if (!Array.isArray(grants)) throw new Error('the file takes {"grants": [{"origin": …, "may": […]}]}');
    const read = new Map(grants.map(grantIn).map(each => [each.origin, each]));
    if (read.size < grants.length) throw new Error('an origin is in it twice. Put what it may into one grant.');
    return read;
  } catch (error) {
    throw new ConfigError(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
