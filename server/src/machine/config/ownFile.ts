/** The file of conf.d that Platen itself writes: switches of plugins, and their options. Commands and the settings share it. */
import { chmod, chown, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, systemCode } from '../configError.js';
import { parseJson } from '../json.js';
import { isRoot, platform } from '../platform.js';
import { confFolder } from './read.js';

export const OWN_FILE = '80-plugins.json';

/** What the file says of a plugin: each key only if it was set there. */
export interface OwnEntry {
  readonly enabled?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** By the plugins' names, as `ownName` has them. */
export type OwnEntries = ReadonlyMap<string, OwnEntry>;

/** @throws {ConfigError} if the configuration has no folder conf.d */
export function ownFile(configFile: string, dataDir: string): string {
  const folder = confFolder(configFile, dataDir);
  if (folder === undefined) throw new ConfigError(`The configuration ${configFile} has no folder conf.d.`);
  return join(folder, OWN_FILE);
}

/** A path starts at the folder of the configuration, which is not that of the file. */
export const ownName = (use: string, configFile: string): string =>
  use.startsWith('.') ? resolve(dirname(configFile), use) : use;

/** @returns undefined if there is none. @throws the operating system's error */
export async function readOwn(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** @param text undefined: there is no file. @throws {ConfigError} for a file that has more than Platen writes there */
export function ownEntries(text: string | undefined, file: string): OwnEntries {
  if (text === undefined) return new Map();
  const { plugins, ...rest } = parseJson(text) as { readonly plugins?: readonly (OwnEntry & { use?: unknown })[] };
  const entries = Object.keys(rest).length === 0 && Array.isArray(plugins) ? plugins : undefined;
  const isOurs = entries?.every(({ use, enabled, options, ...more }) => {
    const isSwitch = enabled === undefined || typeof enabled === 'boolean';
    const hasOptions = options === undefined || (typeof options === 'object' && options !== null);
    return typeof use === 'string' && isSwitch && hasOptions && Object.keys(more).length === 0;
  });
  if (!entries || isOurs !== true)
    throw new ConfigError(
      `${file} has more than the switches and options of plugins that Platen writes there. Move the rest to another file of the folder.`,
    );
  return new Map(entries.map(({ use, ...entry }) => [use as string, entry]));
}

/** What of it says nothing is left out. */
export function ownText(entries: OwnEntries): string {
  const plugins = [...entries].flatMap(([use, { enabled, options = {} }]) => {
    const own = {
      ...(enabled === undefined ? {} : { enabled }),
      ...(Object.keys(options).length > 0 ? { options } : {}),
    };
    return Object.keys(own).length > 0 ? [{ use, ...own }] : [];
  });
  return `${JSON.stringify({ plugins }, undefined, 2)}\n`;
}

/**
 * Replaces the file as a whole. One with secrets may be read by its owner and the account of the service only, and stays so.
 * @throws Error with what to do, if this account may not write it
 */
export async function writeOwn(
  file: string,
  text: string,
  { dataDir, isSecret = false }: { readonly dataDir: string; readonly isSecret?: boolean },
): Promise<void> {
  const made = `${file}.${process.pid}`;
  const isClosed = isSecret || (await modeOf(file)) % 8 === 0;
  const reader = isClosed && isRoot() ? await stat(dataDir).catch(() => undefined) : undefined;
  if (reader && reader.uid !== 0 && reader.gid === 0)
    throw new Error(
      `${file} would have secrets, and only root could read it: the group of ${dataDir} is root's. Give that folder the group of the service's account, then try again.`,
    );
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(made, text, { mode: isClosed ? 0o600 : 0o644 });
    if (reader) {
      await chown(made, 0, reader.gid);
      await chmod(made, 0o640);
    }
    await rename(made, file);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    const how = platform === 'win32' ? 'as administrator' : 'with sudo';
    throw new Error(`This account may not write ${file}. Run the command ${how}.`, { cause: error });
  }
}

/** Its last digit is what all accounts may do; 4 if there is no file. */
const modeOf = async (file: string): Promise<number> =>
  stat(file).then(
    ({ mode }) => mode,
    () => 0o004,
  );
