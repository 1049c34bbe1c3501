/**
 * Whether a file of code, or a configuration that names code, lies where only those could write it whose code runs anyway: root, this account, and whoever owns the server's own files or Node.
 * Looked at are the file and every folder and link on the way to it from the root.
 */
import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@platen/core';
import { ConfigError } from './error.js';
import { platform } from './platform.js';
import { windowsDangers } from './windowsCodeAccess.js';

/** More links than systems follow. */
const MOST_LINKS = 40;
const STICKY = 0o1000;

/**
 * For the loader of plugins. The configuration is looked at with them: one look on Windows takes as long as many.
 * @param warn is told where Windows does not say who may write: then code is loaded all the same, for its usual places are private, and a policy that forbids the look is not of a stranger's making
 * @throws {ConfigError} where the configuration is in danger
 */
export function vetCode({
  configFile,
  warn,
}: {
  readonly configFile?: string;
  warn(message: string): void;
}): (files: readonly string[]) => Promise<readonly (string | undefined)[]> {
  return async files => {
    const [config, ...dangers] = await codeDangers([configFile ?? fileURLToPath(import.meta.url), ...files], warn);
    if (configFile !== undefined && config !== undefined) throw inDanger(configFile, config);
    return dangers;
  };
}

/** Before a configuration is read. @throws {ConfigError} with what to do; on Windows it is `vetCode` that looks */
export async function assertConfigSafe(configFile: string): Promise<void> {
  const [danger] = platform === 'win32' ? [] : await posixDangers([configFile]);
  if (danger !== undefined) throw inDanger(configFile, danger);
}

const inDanger = (configFile: string, danger: string): ConfigError =>
  new ConfigError(`The configuration ${configFile} is not used: ${danger}.`);

/** For each file what is wrong and what to do about it, without a full stop; undefined where nothing is, or it is not there. */
async function codeDangers(
  files: readonly string[],
  warn: (message: string) => void,
): Promise<readonly (string | undefined)[]> {
  if (platform !== 'win32') return posixDangers(files);
  try {
    return await windowsDangers(files);
  } catch (error) {
    warn(
      `Windows does not say who may write the plugins' files (${messageOf(error).split('\n')[0]}): see that only administrators may.`,
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
  // In a sandbox that has no number for root, Node's owner is what root is shown as.
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
      // As in the temporary folder, nobody takes away what is another's; but they may add to it, and that must not be looked at as code.
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

/** Groups that do not count as others: root's, on a Mac the administrators', who may become root (Homebrew's folders are theirs), and this process's own. */
const trustedGroups: ReadonlySet<number | undefined> = new Set([
  0,
  process.getegid?.(),
  ...(platform === 'darwin' ? [80] : []),
]);

const writable = ({ mode, gid }: Stats): boolean =>
  (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !trustedGroups.has(gid));

function owned(path: string, { uid }: Stats): string {
  return `${path} belongs to another account (number ${uid}), which could make the service run its code: remove it, or, where its content is yours, run: chown -h ${process.geteuid?.()} "${path}"`;
}

function written(path: string, { mode, gid }: Stats): string {
  const who = (mode & 0o002) !== 0 ? 'other accounts' : `other accounts (of the group ${gid})`;
  return `${path} can be written to by ${who}, who could make the service run their code: move what is yours to a folder of your own, or run: chmod go-w "${path}"`;
}
