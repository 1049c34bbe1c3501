/** Sentences as pages get them: a file is named from the data folder on, and no path has the account's name in it. The log has them whole. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { sep } from 'node:path';

interface Folder {
  readonly found: RegExp;
  /** In place of the folder and what separates it from a file in it. */
  readonly before: string;
  /** In place of the folder itself. */
  readonly alone: string;
}

export type ForPages = (sentence: string) => string;

/** @param dataDir sentences name what lies in it from there on */
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

/** By their paths: as it is named, and where links lead. */
function foldersOf(dir: string, before: string, alone: string): [string, Folder][] {
  // A home of `/` is nobody's, and in the middle of a path it is another folder.
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

/** Empty: an account without a name has none. */
function home(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}
