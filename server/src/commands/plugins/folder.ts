/** The folder of added plugins: its `node_modules`, its manifest, and the links to the installation's own packages. */
import {
  access,
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { systemCode } from '../../machine/configError.js';
import { installation } from '../../machine/packageFolders.js';
import { platform } from '../../machine/platform.js';
import { isPackageName } from './packageName.js';

export const cannotWrite = (path: string): string =>
  `This account cannot write to ${path}. Run the command with administrator rights${platform === 'win32' ? '' : ' (sudo)'}.`;

export interface PluginsFolder {
  /** Absolute; its `node_modules` has the plugins. */
  readonly path: string;
  /** What npm calls the prefix. */
  readonly npmPrefix: string;
  /** It is npm's folder of global packages, which has no manifest. */
  readonly isGlobal: boolean;
}

export interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: unknown;
  readonly os?: unknown;
  readonly cpu?: unknown;
  readonly libc?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * @param path the plugins folder
 * @param prefix the folder whose `node_modules` has the server; undefined in a clone
 */
export async function openPluginsFolder(path: string, prefix: string | undefined): Promise<PluginsFolder> {
  const isOurs = prefix !== undefined && resolve(path) === resolve(prefix);
  const manifest = await manifestOf(path);
  // `npm install` in a folder of global packages would remove all others: nothing lists them.
  const isGlobal = isOurs && manifest?.dependencies?.['@platen/server'] === undefined;
  const npmPrefix = isGlobal && platform !== 'win32' && basename(path) === 'lib' ? dirname(path) : path;
  return { path, npmPrefix, isGlobal };
}

/** Makes the folder, readable for the service's account, with a manifest for npm. @throws Error with the fix */
export async function preparePluginsFolder({ path, isGlobal }: PluginsFolder): Promise<void> {
  try {
    await mkdir(join(path, 'node_modules'), { recursive: true, mode: 0o755 });
    for (const folder of [path, join(path, 'node_modules')]) await access(folder, constants.W_OK);
    if (isGlobal || (await manifestOf(path))) return;
    await writeFile(
      join(path, 'package.json'),
      `${JSON.stringify({ name: 'platen-plugins', private: true }, null, 2)}\n`,
    );
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') throw new Error(cannotWrite(path), { cause: error });
    throw error;
  }
}

/** @returns undefined if the folder has no readable package.json */
export async function manifestOf(folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

/** The folder of a package that the installation has, without links. */
export async function installedPackage(name: string, from: string = installation): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
    if (found !== undefined) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Links the packages that plugins have as peers, ours and others such as sharp, to the installation's, so that there is
 * one of each. Idempotent; npm removes links that it does not know, so call it after each of its runs. Below the
 * installation's folder, where the installer for Windows has plugins, Node finds them without links.
 * @param from where the installation's packages are searched upwards
 * @param more packages that bundles count on
 */
export async function linkPeers(
  { path }: Pick<PluginsFolder, 'path'>,
  from: string = installation,
  more: readonly string[] = [],
): Promise<void> {
  const modules = join(path, 'node_modules');
  const manifests = await Promise.all((await packagesIn(modules)).map(name => manifestOf(join(modules, name))));
  // A manifest may hold any text: '@platen/../../x' would be a link elsewhere.
  const peers = manifests.flatMap(manifest => Object.keys(manifest?.peerDependencies ?? {}));
  for (const name of new Set(['@platen/core', ...[...peers, ...more].filter(isPackageName)])) {
    const target = await installedPackage(name, from);
    if (target !== undefined && (await installedPackage(name, path)) !== target)
      await link(join(modules, name), target, path);
  }
}

async function link(at: string, target: string, folder: string): Promise<void> {
  const there = await lstat(at).catch(() => undefined);
  // A copy that npm put there belongs to npm.
  if (there && !there.isSymbolicLink()) return;
  await rm(at, { force: true });
  await mkdir(dirname(at), { recursive: true, mode: 0o755 });
  // Windows: a junction needs no administrator, and an absolute path. Elsewhere the folder may be moved as a whole.
  const isInside = target.startsWith(`${await realpath(folder)}${sep}`);
  const to = isInside && platform !== 'win32' ? relative(await realpath(dirname(at)), target) : target;
  await symlink(to, at, 'junction');
}

/** Names of the packages in a `node_modules`, with their scopes. */
async function packagesIn(modules: string): Promise<string[]> {
  const names = await readdir(modules).catch(() => []);
  const nested = await Promise.all(
    names
      .filter(name => !name.startsWith('.'))
      .map(async name => {
        if (!name.startsWith('@')) return [name];
        return (await readdir(join(modules, name)).catch(() => [])).map(each => `${name}/${each}`);
      }),
  );
  return nested.flat();
}

/** Whether the plugins folder itself has the package. */
export async function hasPackage({ path }: Pick<PluginsFolder, 'path'>, name: string): Promise<boolean> {
  return (await stat(join(path, 'node_modules', name)).catch(() => undefined))?.isDirectory() ?? false;
}
