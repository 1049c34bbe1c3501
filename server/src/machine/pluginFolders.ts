/** Which plugin of this process a stack trace went through, by the files of the plugins that were imported. */
import { realpathSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Place {
  readonly use: string;
  /** The file that was imported. */
  readonly file: string;
  /** Its package; undefined for a plugin that is a file without one. */
  readonly folder: string | undefined;
}

const places: Place[] = [];

/** A path in a stack trace; its line and column follow. */
const framePath = /(file:\/\/[^\s()]+?|(?:[A-Za-z]:)?[\\/][^()]+?)(?=:\d+:\d+|:\d+$)/gm;

/**
 * Call it before a plugin's code is imported into this process.
 * @param files the file to import, and the package's manifest if there is one
 */
export function notePlugin(use: string, files: readonly string[]): void {
  const [file = '', manifest] = files.map(real);
  const folder = manifest !== undefined && basename(manifest) === 'package.json' ? dirname(manifest) : undefined;
  places.push({ use, file, folder });
}

/** The plugin whose code is nearest to where the error was made; undefined if none of its frames is a plugin's. */
export function pluginIn(stack: string | undefined): string | undefined {
  for (const path of pathsIn(stack)) {
    const found = places
      .filter(({ file, folder }) => path === file || path.startsWith(`${folder ?? dirname(file)}${sep}`))
      .filter(({ file, folder }) => folder !== undefined || dirname(path) === dirname(file))
      .sort((a, b) => (b.folder ?? b.file).length - (a.folder ?? a.file).length)[0];
    if (found) return found.use;
  }
  return undefined;
}

/** The plugins in this process that are not Platen's own. */
export const foreignPlugins = (): readonly string[] =>
  [...new Set(places.map(({ use }) => use))].filter(use => !use.startsWith('@platen/'));

function pathsIn(stack = ''): string[] {
  return [...stack.matchAll(framePath)].map(([path]) => {
    try {
      return path.startsWith('file:') ? fileURLToPath(path) : path;
    } catch {
      return path;
    }
  });
}

/** Node imports a file by its path without links. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
