/**
 * Shortens the paths in sentences for pages: relative to the data folder, and without the account's name. The log has
 * full paths.
 */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { sep } from 'node:path';

interface Folder {
  readonly found: RegExp;
  /** Replaces the folder and the separator after it. */
  readonly before: string;
  /** Replaces the folder alone. */
  readonly alone: string;
}

export type ForPages = (sentence: string) => string;

/** @param dataDir sentences give paths in it relative to it */
export function createForPages(dataDir: string): ForPages {
  const found = new Map([...foldersOf(home(), `~${sep}`, '~'), ...foldersOf(dataDir, '', 'the data folder')]);
  const folders = [...found].sort(([a], [b]) => b.length - a.length).map(([, folder]) => folder);
  return sentence =>
    folders.reduce(
      (said, { found: place, before, alone }) =>
        said.replace(place, (_, separator?: string) => (separator === undefined ? alone : before)),
      sentence,
    );
}

/** By path: the folder's own, and the one that links lead to. */
function foldersOf(dir: string, before: string, alone: string): [string, Folder][] {
  // A home of `/` is not a person's; and the path must not match inside another one.
  const paths = [dir, real(dir)].filter(path => path.length >= 2);
  return paths.map(path => {
    const escaped = path.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    const found = new RegExp(String.raw`(?<![\w.-])${escaped}(?:([\\/])|(?![\w-]))`, sep === '\\' ? 'gi' : 'g');
    return [path, { before, alone, found }];
  });
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Empty for an account without a name, which has no home. */
function home(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
