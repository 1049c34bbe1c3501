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

/** Of this process, the longest path first. */
const folders = new Map<string, Folder>();

/** From now on sentences name what lies in the data folder from there on. */
export function shortenDataFolder(dir: string): void {
  shorten(dir, '', 'the data folder');
}

function shorten(dir: string, before: string, alone: string): void {
  for (const path of new Set([dir, real(dir)])) {
    // A home of `/` is nobody's, and in the middle of a path it is another folder.
    if (path.length < 2) continue;
    const escaped = path.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    folders.set(path, { before, alone, found: new RegExp(String.raw`(?<![\w.-])${escaped}(?:([\\/])|(?![\w-]))`, sep === '\\' ? 'gi' : 'g') });
  }
  const sorted = [...folders].sort(([a], [b]) => b.length - a.length);
  folders.clear();
  for (const [path, folder] of sorted) folders.set(path, folder);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

try {
  shorten(homedir(), `~${sep}`, '~');
} catch {
  // An account without a name has none.
}

export function forPages(sentence: string): string {
  let said = sentence;
  for (const { found, before, alone } of folders.values()) said = said.replace(found, (_, separator?: string) => (separator === undefined ? alone : before));
  return said;
}
