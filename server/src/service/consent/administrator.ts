/**
 * The grants of an administrator: `origins.json` beside the configuration. An origin in it is decided by it alone. Read
 * again when it changes.
 */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, type Log } from '@platen/core';
import { codeDangers } from '../../machine/rights/codeAccess.js';
import { ConfigError, systemCode } from '../../machine/configError.js';
import { keyTwice, parseJson } from '../../machine/json.js';
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
  // Looked at before it is read: a change in between is one more reason to read it again.
  let seen = await stateOf(file);
  let grants = await readAdministratorsGrants(file, log.warn);
  let isLooking = false;
  const look = async (): Promise<void> => {
    const state = await stateOf(file);
    if (state === seen) return;
    seen = state;
    try {
      grants = await readAdministratorsGrants(file, log.warn);
      log.info(`Read ${file} again: ${grants.size} origins.`);
    } catch (error) {
      log.error(`${messageOf(error)} The grants that were read before stay.`);
    }
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  }, LOOK_MS);
  timer.unref();
  return { read: () => grants, close: () => clearInterval(timer) };
}

/** Changes with the file. */
const stateOf = async (file: string): Promise<string> =>
  stat(file, { bigint: true }).then(
    ({ mtimeNs, ctimeNs, ino, size }) => [mtimeNs, ctimeNs, ino, size].join(' '),
    (error: unknown) => systemCode(error) ?? 'none',
  );

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
    const twice = keyTwice(text);
    if (twice)
      throw new Error(
        `an object has the key ${JSON.stringify(twice.key)} twice, at line ${twice.firstLine} and at line ${twice.line}. Remove one of them`,
      );
    const { grants } = (value ?? {}) as { grants?: unknown };
    if (!Array.isArray(grants)) throw new Error('the file takes {"grants": [{"origin": …, "may": […]}]}');
    const read = new Map(grants.map(grantIn).map(each => [each.origin, each]));
    if (read.size < grants.length) throw new Error('an origin is in it twice. Put what it may into one grant.');
    return read;
  } catch (error) {
    throw new ConfigError(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
