/** The package that `platen dev` runs: what its package.json says. */
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolvePlugin } from '@platen/core';
import { ConfigError, systemCode } from '../../machine/configError.js';

export interface DevPackage {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
  /** The file that the service imports; it may not be built yet. */
  readonly entry: string;
  /** Whether package.json has a script `build`. */
  readonly builds: boolean;
  /** `platen.dev` of package.json: a module that starts what the plugin needs, such as a simulator. */
  readonly devModule: string | undefined;
}

/** @throws {ConfigError} one sentence: what is missing in the folder */
export async function readDevPackage(folder: string): Promise<DevPackage> {
  const manifest = await manifestOf(folder);
  const { name, scripts, exports, main } = manifest;
  if (typeof name !== 'string' || name === '') throw fault(`${manifestIn(folder)} has no "name"`);
  if (exports === undefined && main === undefined)
    throw fault(`${manifestIn(folder)} has no "exports": name the file whose default export is the plugin`);
  const resolved = await resolvePlugin(folder, [folder]);
  const entry = resolved && fileURLToPath(resolved.url);
  if (entry === undefined || entry === folder || !isInside(folder, entry))
    throw fault(`"exports" of ${manifestIn(folder)} has no entry "." for import`);
  const builds = typeof textIn(scripts, 'build') === 'string';
  if (!builds && !(await isFile(entry)))
    throw fault(`${entry} does not exist, and ${manifestIn(folder)} has no script "build" that makes it`);
  const dev = textIn(manifest.platen, 'dev');
  if (dev !== undefined && (typeof dev !== 'string' || !isInside(folder, join(folder, dev))))
    throw fault(`"platen.dev" of ${manifestIn(folder)} takes the path of a module in the package`);
  return { folder, name, entry, builds, devModule: dev === undefined ? undefined : join(folder, dev) };
}

interface Manifest {
  readonly name?: unknown;
  readonly exports?: unknown;
  readonly main?: unknown;
  readonly scripts?: unknown;
  readonly platen?: unknown;
}

async function manifestOf(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(manifestIn(folder), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR')
      throw fault(`${folder} has no package.json: pass the folder of a plugin's package`);
    throw fault(`${manifestIn(folder)} cannot be read: ${systemCode(error) ?? String(error)}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below.
  }
  throw fault(`${manifestIn(folder)} is not valid JSON`);
}

const manifestIn = (folder: string): string => join(folder, 'package.json');
const fault = (sentence: string): ConfigError => new ConfigError(`${sentence}.`, { code: 'usage' });

function textIn(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Whether the path is below the folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
