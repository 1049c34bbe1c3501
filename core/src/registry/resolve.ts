/** Finds the file to import for a plugin's package, starting at a folder. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contribution } from './entry.js';

/** Conditions under which Node's `import` selects an entry, in a package's own order; also those it was started with. */
const conditions = new Set(['node', 'import', 'module-sync', 'default', ...givenConditions(process.execArgv)]);

/** The file to import, and the package's version if its manifest has one. */
export interface Resolved {
  readonly url: string;
  /** The file to import, and the package's manifest if there is one. */
  readonly files: readonly string[];
  readonly version?: string;
  /** What its manifest says that it provides, in `platen.provides`: known without running its code. */
  readonly declares: readonly Contribution[];
}

/**
 * Searches for our packages in the installation first; for others in the `node_modules` of the configuration's folder
 * and of the plugins folder, and not above them, because other accounts may be able to write there. The installation's
 * folders are searched upwards, as Node does for the server itself: npm puts the server's dependencies beside the server,
 * or below it if it has a shrinkwrap.
 * @param use a package's name, or a path (`./driver`, `/opt/driver`) relative to the first folder
 * @param folders the configuration's, then any others, and last, if there are several, the server's installation
 * @returns undefined if no folder has it
 */
export async function resolvePlugin(use: string, folders: readonly string[]): Promise<Resolved | undefined> {
  const [first = '.', ...others] = folders;
  if (isAbsolute(use) || /^\.\.?([/\\]|$)/.test(use)) return atPath(resolve(first, use));
  const installation = others.pop();
  const installed = installation === undefined ? [] : upwards(installation);
  const added = [first, ...others];
  const places = use.startsWith('@platen/') ? [...installed, ...added] : [...added, ...installed];
  for (const folder of places) {
    const found = await atPath(join(resolve(folder), 'node_modules', use));
    if (found) return found;
  }
  return undefined;
}

/** The folder and its ancestors. */
function upwards(folder: string): readonly string[] {
  const own = resolve(folder);
  return own === dirname(own) ? [own] : [own, ...upwards(dirname(own))];
}

async function atPath(path: string): Promise<Resolved | undefined> {
  const kind = await stat(path).catch(() => undefined);
  if (!kind) return undefined;
  if (kind.isFile()) return { url: pathToFileURL(path).href, files: [path], declares: [] };
  const manifestFile = join(path, 'package.json');
  const manifest = await readFile(manifestFile, 'utf8').catch(() => undefined);
  const { exports, main, version, platen } = JSON.parse(manifest ?? '{}') as {
    exports?: unknown;
    main?: unknown;
    version?: unknown;
    platen?: { provides?: unknown } | null;
  };
  const file = join(path, exported(exports) ?? (await mainOf(path, main)));
  return {
    url: pathToFileURL(file).href,
    files: manifest === undefined ? [file] : [file, manifestFile],
    ...(typeof version === 'string' ? { version } : {}),
    declares: declared(platen?.provides),
  };
}

const kinds: readonly unknown[] = [
  'driver',
  'format',
  'recogniser',
  'processor',
  'document',
] satisfies Contribution['kind'][];

/** Anybody may have written the manifest. */
function declared(provides: unknown): readonly Contribution[] {
  if (!Array.isArray(provides)) return [];
  return (provides as readonly (Partial<Contribution> | null)[])
    .filter((each): each is Contribution => kinds.includes(each?.kind) && typeof each?.id === 'string')
    .map(({ kind, id }) => ({ kind, id }));
}

/** `main` may lack an extension or name a folder, as in older packages. */
async function mainOf(path: string, main: unknown): Promise<string> {
  if (typeof main !== 'string') return 'index.js';
  for (const entry of [main, `${main}.js`, join(main, 'index.js')]) {
    if ((await stat(join(path, entry)).catch(() => undefined))?.isFile()) return entry;
  }
  return main;
}

/** The `.` entry of an `exports` field: a string, conditions, a list of alternatives, or a map of entry points. */
function exported(field: unknown): string | undefined {
  if (typeof field === 'string') return field;
  if (Array.isArray(field)) return field.map(exported).find(entry => entry !== undefined);
  if (typeof field !== 'object' || field === null) return undefined;
  const entries = Object.entries(field);
  if (entries.some(([key]) => key.startsWith('.'))) return exported((field as Record<string, unknown>)['.']);
  for (const [condition, target] of entries) {
    const entry = conditions.has(condition) ? exported(target) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** The values of Node's own flag `--conditions`. */
function givenConditions(flags: readonly string[]): readonly string[] {
  return flags.flatMap((flag, at) => {
    const [name = '', value] = flag.split('=');
    return name === '--conditions' || name === '-C' ? [value ?? flags[at + 1] ?? ''] : [];
  });
}
