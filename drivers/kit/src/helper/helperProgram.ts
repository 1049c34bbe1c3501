/** The program of a driver's helper: the prebuilt one of its platform's package, or the driver's own build. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@platen/core/plugin';
import { platform } from '../platform.js';
import { helperPath } from './helperPath.js';

/** The options of `createHelper` that say what to start. */
export interface HelperProgram {
  /** The absolute path; the program may be missing. */
  readonly command: string;
  /** Why it must not be started, with the fix. */
  readonly refused?: string;
}

/** The entry of one platform in `platen.prebuilt` of the driver's package.json. The release or `platen-pack-native` writes it. */
interface Prebuilt {
  /** Absent: the programs are in the driver's own package, in `prebuilt/PLATFORM/bin`. */
  readonly package?: string;
  /** By the program's file name: lower-case hexadecimal. */
  readonly sha256: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly name?: string;
  readonly platen?: { readonly prebuilt?: Readonly<Record<string, Prebuilt>> };
}

/**
 * Looks for `bin/NAME` in what the driver's package.json names for this platform: a prebuilt package, or a folder of its
 * own. Then for the driver's own build. A prebuilt program whose content is not the published one is refused, and nothing replaces it.
 * @param packageUrl the folder of the driver's package, with its slash: `new URL('..', import.meta.url)` from `dist`
 * @param name the program's name without `.exe`, which is its target's name in `native/binding.gyp`
 * @param key the platform, as in `platen.prebuilt`: `linux-x64`
 */
export function helperProgram(
  packageUrl: string | URL,
  name: string,
  key = `${platform}-${process.arch}`,
): HelperProgram {
  const own = fileURLToPath(new URL('package.json', packageUrl));
  const manifest = JSON.parse(readFileSync(own, 'utf8')) as Manifest;
  const prebuilt = manifest.platen?.prebuilt?.[key];
  const file = key.startsWith('win32-') ? `${name}.exe` : name;
  const sha256 = prebuilt?.sha256[file];
  const folder = sha256 && (prebuilt.package ? folderOf(prebuilt.package, own) : join(dirname(own), 'prebuilt', key));
  const command = folder && join(folder, 'bin', file);
  if (!command || !existsSync(command)) return { command: helperPath(packageUrl, name) };
  const problem = difference(command, sha256);
  if (problem === undefined) return { command };
  const fix = `Remove ${folder} and install ${manifest.name ?? prebuilt.package ?? 'the driver'} again`;
  return { command, refused: `was not started: ${command} ${problem}. ${fix}` };
}

/** The folder of an installed package; undefined if npm left it out. */
function folderOf(name: string, from: string): string | undefined {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** What was found out about a file, because a service starts its helpers often. */
const checked = new Map<string, string | undefined>();

/** @returns in which way the file is not the published one */
function difference(file: string, sha256: string): string | undefined {
  const key = `${file}\0${sha256}`;
  if (!checked.has(key)) checked.set(key, compare(file, sha256));
  return checked.get(key);
}

function compare(file: string, sha256: string): string | undefined {
  try {
    const found = createHash('sha256').update(readFileSync(file)).digest('hex');
    return found === sha256 ? undefined : 'is not the file that was published: its SHA-256 differs';
  } catch (error) {
    return `cannot be read (${messageOf(error)})`;
  }
}
