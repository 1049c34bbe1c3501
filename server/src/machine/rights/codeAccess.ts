/**
 * Whether a file of code, or a configuration that names code, is safe: only accounts whose code runs anyway may write
 * it (root, this account, and the owners of the server's files and of Node). Checks the file, and every folder and link
 * on the path to it from the root.
 */
import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@platen/core';
import { ConfigError } from '../configError.js';
import { platform } from '../platform.js';
import { windowsDangers } from './windowsCodeAccess.js';

/** More links than any system follows. */
const MOST_LINKS = 40;
const STICKY = 0o1000;

/**
 * For the loader of plugins. Checks the configuration with them: on Windows one check takes as long as many.
 * @param warn is called if Windows does not tell who may write. The code is loaded nevertheless: its usual places are
 *   private, and an attacker cannot have set the policy that forbids the check
 * @throws {ConfigError} if others may write the configuration
 */
export function vetCode({
  configFiles = [],
  warn,
}: {
  readonly configFiles?: readonly string[];
  warn(message: string): void;
}): (files: readonly string[]) => Promise<readonly (string | undefined)[]> {
  return async files => {
    const dangers = await codeDangers([...configFiles, ...files], warn);
    configFiles.forEach((file, at) => {
      if (dangers[at] !== undefined) throw inDanger(file, dangers[at]);
    });
    return dangers.slice(configFiles.length);
  };
}

/** Call it before reading a configuration. On Windows `vetCode` checks instead. @throws {ConfigError} with the fix */
export async function assertConfigSafe(configFile: string): Promise<void> {
  const [danger] = platform === 'win32' ? [] : await posixDangers([configFile]);
  if (danger !== undefined) throw inDanger(configFile, danger);
}

const inDanger = (configFile: string, danger: string): ConfigError =>
  new ConfigError(`The configuration ${configFile} was rejected: ${danger}.`);

/** For each file, the fault and its fix, without a full stop; undefined if there is no fault or no file. */
export async function codeDangers(
  files: readonly string[],
  warn: (message: string) => void,
): Promise<readonly (string | undefined)[]> {
  if (platform !== 'win32') return posixDangers(files);
  try {
    return await windowsDangers(files);
  } catch (error) {
    warn(
      `Could not read the access rights of the plugins' files (${messageOf(error).split('\n')[0]}). Make sure that only administrators may write them.`,
    );
    return files.map(() => undefined);
  }
}

async function posixDangers(files: readonly string[]): Promise<readonly (string | undefined)[]> {
  const seen = new Map<string, Promise<Stats | undefined>>();
  const look = (path: string): Promise<Stats | undefined> => {
    const found = seen.get(path) ?? lstat(path).catch(() => undefined);
    seen.set(path, found);
    return found;
  };
  // A sandbox may map root to another number: that of Node's owner.
  const running = await Promise.all([fileURLToPath(import.meta.url), process.execPath].map(look));
  const trusted = new Set([0, process.geteuid?.(), ...running.map(found => found?.uid)]);
  return Promise.all(files.map(file => dangerTo(resolve(file), look, uid => trusted.has(uid))));
}

async function dangerTo(
  file: string,
  look: (path: string) => Promise<Stats | undefined>,
  isTrusted: (uid: number) => boolean,
): Promise<string | undefined> {
  let folder = parse(file).root;
  let rest = namesOf(file);
  let links = 0;
  for (;;) {
    const [name, ...further] = rest;
    const found = await look(folder);
    if (!found) return undefined;
    if (!isTrusted(found.uid)) return owned(folder, found);
    if (found.isSymbolicLink()) {
      links += 1;
      if (links > MOST_LINKS) return undefined;
      const target = resolve(dirname(folder), await readlink(folder));
      [folder, rest] = [parse(target).root, [...namesOf(target), ...rest]];
      continue;
    }
    if (name === undefined) return writable(found) ? written(folder, found) : undefined;
    const next = join(folder, name);
    if (found.isDirectory() && writable(found)) {
      // In a sticky folder (such as /tmp) accounts cannot remove each other's files, but they can add a node_modules
      // folder.
      const below = await look(next);
      const planted = await look(join(folder, 'node_modules'));
      const kept = (found.mode & STICKY) !== 0 && name !== 'node_modules' && !below?.isFile();
      if (!kept) return written(folder, found);
      if (planted && !isTrusted(planted.uid)) return owned(join(folder, 'node_modules'), planted);
    }
    [folder, rest] = [next, further];
  }
}

const namesOf = (path: string): string[] =>
  path
    .slice(parse(path).root.length)
    .split(sep)
    .filter(name => name !== '');

/**
 * Groups that do not count as others: root's; on macOS the administrators', who may become root and own Homebrew's
 * folders; and this process's.
 */
const trustedGroups: ReadonlySet<number | undefined> = new Set([
  0,
  process.getegid?.(),
  ...(platform === 'darwin' ? [80] : []),
]);

const writable = ({ mode, gid }: Stats): boolean =>
  (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !trustedGroups.has(gid));

function owned(path: string, { uid }: Stats): string {
  return `${path} belongs to another account (number ${uid}), which could make the service run its code: remove it, or, if its content is yours, run: chown -h ${process.geteuid?.()} "${path}"`;
}

function written(path: string, { mode, gid }: Stats): string {
  const who = (mode & 0o002) !== 0 ? 'other accounts' : `other accounts (of the group ${gid})`;
  return `${path} is writable by ${who}, who could make the service run their code: move your files to a folder that only you can write, or run: chmod go-w "${path}"`;
}
