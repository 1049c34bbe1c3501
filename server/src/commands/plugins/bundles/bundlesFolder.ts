/**
 * Where the plugins of bundles are: `platen-bundles` in the plugins folder. It has a `node_modules` of its own, because
 * npm removes from the one beside it what npm did not install; and `bundles.json`, which says what is from which file.
 */
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../../../machine/configError.js';
import { bundlesFolder } from '../../../machine/packageFolders.js';
import { platform } from '../../../machine/platform.js';
import { cannotWrite, linkPeers } from '../folder.js';
import type { NamedVersion } from './bundleManifest.js';

export interface BundleRecord {
  /** The file's name, without its folder. */
  readonly file: string;
  /** Of the file, in hexadecimal. */
  readonly sha512: string;
  readonly plugins: readonly NamedVersion[];
  /** What it takes from the installation. */
  readonly provided: readonly string[];
}

export interface BundlesFolder {
  /** Its `node_modules` has the plugins. */
  readonly path: string;
  records(): Promise<readonly BundleRecord[]>;
  write(records: readonly BundleRecord[]): Promise<void>;
  /** Forgets that bundles brought these plugins. @returns the names of the bundles' files */
  forget(names: readonly string[]): Promise<readonly string[]>;
  /** Links what the plugins have as peers, or count on. */
  link(): Promise<void>;
}

export function openBundlesFolder(pluginsDir: string): BundlesFolder {
  const path = bundlesFolder(pluginsDir);
  const file = join(path, 'bundles.json');
  const folder: BundlesFolder = {
    path,
    async records() {
      try {
        const { bundles } = JSON.parse(await readFile(file, 'utf8')) as { bundles?: unknown };
        return Array.isArray(bundles) ? (bundles as BundleRecord[]) : [];
      } catch {
        // Without it, a bundle is installed once more.
        return [];
      }
    },
    async write(bundles) {
      await writeFile(`${file}.new`, `${JSON.stringify({ format: 1, bundles }, null, 2)}\n`);
      await rename(`${file}.new`, file);
    },
    async forget(names) {
      const records = await folder.records();
      const isGone = ({ name }: NamedVersion): boolean => names.includes(name);
      await folder.write(
        records
          .map(each => ({ ...each, plugins: each.plugins.filter(plugin => !isGone(plugin)) }))
          .filter(({ plugins }) => plugins.length > 0),
      );
      return records.filter(({ plugins }) => plugins.some(isGone)).map(each => each.file);
    },
    async link() {
      const counted = (await folder.records()).flatMap(({ provided = [] }) => provided);
      await linkPeers(folder, undefined, counted);
    },
  };
  return folder;
}

/** Whether a bundle brought it. A link is to a package of the installation. */
export async function hasBundled(pluginsDir: string, name: string): Promise<boolean> {
  const found = await lstat(join(bundlesFolder(pluginsDir), 'node_modules', name)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** Packages on their way in or out, in a folder beside `node_modules`: each step is one renaming. */
export interface Staging {
  /** Absolute. */
  readonly path: string;
  /** Puts a folder below {@link path} in the package's place, and what was there aside. */
  put(name: string, from: string): Promise<void>;
  /** Takes the package out, aside. */
  take(name: string): Promise<void>;
  /** Puts back what was there before. @returns whether there was something */
  restore(name: string): Promise<boolean>;
  /** Removes what was put aside. */
  close(): Promise<void>;
}

const OPEN = /^staging-(\d+)-/;

/** @throws Error with the fix if this account may not write there */
export async function openStaging({ path }: BundlesFolder): Promise<Staging> {
  const modules = join(path, 'node_modules');
  let own: string;
  try {
    await mkdir(modules, { recursive: true, mode: 0o755 });
    await recover(path, modules);
    own = await mkdtemp(join(path, `staging-${process.pid}-`));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') throw new Error(cannotWrite(path), { cause: error });
    throw error;
  }
  const aside = (name: string): string => join(own, 'before', name);
  const put = new Set<string>();
  let outs = 0;
  const staging: Staging = {
    path: own,
    async put(name, from) {
      await staging.take(name);
      put.add(name);
      await mkdir(dirname(join(modules, name)), { recursive: true, mode: 0o755 });
      try {
        await move(from, join(modules, name));
      } catch (error) {
        await staging.restore(name);
        throw error;
      }
    },
    async take(name) {
      if (!(await isThere(join(modules, name)))) return;
      await mkdir(dirname(aside(name)), { recursive: true });
      await move(join(modules, name), aside(name));
    },
    async restore(name) {
      const wasThere = await isThere(aside(name));
      if (!wasThere && !put.has(name)) return false;
      if (await isThere(join(modules, name))) await move(join(modules, name), join(own, `out-${(outs += 1)}`));
      if (wasThere) await move(aside(name), join(modules, name));
      return wasThere;
    },
    close: () => rm(own, { recursive: true, force: true }),
  };
  return staging;
}

const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    const code = systemCode(error);
    if (platform === 'win32' && (code === 'EPERM' || code === 'EBUSY' || code === 'EACCES'))
      throw new Error(`${to} is in use. Run "platen service stop", this command again, then "platen service start".`, {
        cause: error,
      });
    throw error;
  });
}

/** A process that was ended between two steps left what it had put aside. */
async function recover(path: string, modules: string): Promise<void> {
  for (const name of await readdir(path)) {
    const pid = Number(OPEN.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isInteger(pid) || isAlive(pid)) continue;
    const before = join(path, name, 'before');
    for (const each of await packagesAt(before)) {
      if (await isThere(join(modules, each))) continue;
      await mkdir(dirname(join(modules, each)), { recursive: true, mode: 0o755 });
      await move(join(before, each), join(modules, each));
    }
    await rm(join(path, name), { recursive: true, force: true });
  }
}

async function packagesAt(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(folder).catch(() => []))
    if (!name.startsWith('@')) names.push(name);
    else for (const each of await readdir(join(folder, name))) names.push(`${name}/${each}`);
  return names;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
