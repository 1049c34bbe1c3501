/** `platen plugins add` for bundles: without npm, without a network, and with what was there as long as it may fail. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Settings } from '../../../machine/config/settings.js';
import { exitCodes } from '../../../machine/exitCodes.js';
import type { Io } from '../../../machine/io.js';
import { printable } from '../../../machine/printable.js';
import { codeDangers } from '../../../machine/rights/codeAccess.js';
import type { CheckAccount } from '../checkAccount.js';
import { checkAdded, type Checked } from '../checkAdded.js';
import { hasPackage, installedPackage, manifestOf } from '../folder.js';
import type { BundleManifest } from './bundleManifest.js';
import { openBundlesFolder, openStaging, type BundlesFolder, type Staging } from './bundlesFolder.js';
import { ANY, ownPlatform } from './platformName.js';
import { isBundle, unpackBundle, type Unpacked } from './unpack.js';
import { fits, compareVersions } from './versions.js';

/** Settings of a computer that has a plugins folder. */
export type PlacedSettings = Settings & { readonly pluginsDir: string };

export interface AddBundleFlags {
  /** They are data, whatever the bundle says. */
  readonly data: boolean;
  whoChecks(): Promise<CheckAccount>;
}

/** @param file absolute @throws Error with the fix; nothing is changed then */
export async function addBundle(
  file: string,
  flags: AddBundleFlags,
  settings: PlacedSettings,
  io: Io,
): Promise<number> {
  const folder = openBundlesFolder(settings.pluginsDir);
  const staging = await openStaging(folder);
  try {
    const unpacked = await unpackBundle(file, staging.path, manifest => assertUsable(file, manifest));
    return await place(file, unpacked, { folder, staging }, flags, settings, io);
  } finally {
    await staging.close();
  }
}

/** @throws Error naming what this computer or its installation lacks */
async function assertUsable(file: string, { platforms, plugins, provided }: BundleManifest): Promise<void> {
  const own = ownPlatform();
  if (!platforms.includes(ANY) && !platforms.includes(own))
    throw new Error(
      `The bundle ${file} is for ${platforms.join(', ')}, and this computer is ${own}. Make one with: platen plugins pack … --platform ${own}`,
    );
  for (const { name } of plugins)
    if (name.startsWith('@platen/') && (await installedPackage(name)) !== undefined)
      throw new Error(`The bundle ${file} has ${name}, which is part of the installation. Make it without ${name}.`);
  for (const { name, range, version: packed, by } of provided) {
    const installed = await installedPackage(name);
    const version = installed === undefined ? undefined : (await manifestOf(installed))?.version;
    if (version === undefined || !(fits(version, range) ?? version === packed))
      throw new Error(
        `${by} needs ${name} ${range}, and this installation has ${version ?? 'none'}. Make the bundle again with the Platen that is installed here, or install that with which it was made.`,
      );
  }
}

interface Place {
  readonly folder: BundlesFolder;
  readonly staging: Staging;
}

async function place(
  file: string,
  { manifest, sha512 }: Unpacked,
  { folder, staging }: Place,
  { data, whoChecks }: AddBundleFlags,
  settings: PlacedSettings,
  io: Io,
): Promise<number> {
  const names = manifest.plugins.map(({ name }) => name);
  const done: string[] = [];
  const before = await folder.records();
  const undo = async (some: readonly string[]): Promise<readonly string[]> => {
    const back: string[] = [];
    for (const name of some) if (await staging.restore(name)) back.push(name);
    return back;
  };
  const record = async (kept: readonly string[]): Promise<void> => {
    const others = before.filter(each => each.sha512 !== sha512);
    const plugins = manifest.plugins.filter(({ name }) => kept.includes(name));
    const provided = [...new Set(manifest.provided.map(({ name }) => name))];
    const own = plugins.length === 0 ? [] : [{ file: basename(file), sha512, plugins, provided }];
    await folder.write([...others, ...own]);
  };
  try {
    for (const name of names) {
      await staging.put(name, join(staging.path, 'node_modules', name));
      done.push(name);
    }
    await record(names);
    await folder.link();
    const isData = data || manifest.data;
    const account = isData ? 'none' : await whoChecks();
    const added = { names, folder: folder.path, data: isData, account, keeps: () => false };
    const { code, withdrawn } = await checkAdded(added, settings, io);
    if (withdrawn.length > 0) {
      const back = await undo(withdrawn);
      await record(names.filter(name => !withdrawn.includes(name)));
      const away = withdrawn.filter(name => !back.includes(name));
      if (away.length > 0) io.err(`Removed ${away.join(', ')} again.`);
      if (back.length > 0) io.err(`The version of ${back.join(', ')} that was there before is there again.`);
    }
    const npms = { path: settings.pluginsDir };
    for (const name of names)
      if (!withdrawn.includes(name) && (await hasPackage(npms, name)))
        io.out(`The one of npm in ${join(settings.pluginsDir, 'node_modules', name)} is no longer used.`);
    return code;
  } catch (error) {
    await undo(done.reverse());
    await folder.write(before);
    throw error;
  }
}

/** The folder that a deb, an MSI or Intune fills. */
export const dropFolder = (pluginsDir: string): string => join(pluginsDir, 'plugins.d');

/**
 * Adds the bundles in {@link dropFolder} that are not installed, and removes nothing. One that fails holds up no other.
 * @returns the exit code
 */
export async function addDropped(flags: AddBundleFlags, settings: PlacedSettings, io: Io): Promise<number> {
  const drop = dropFolder(settings.pluginsDir);
  const names = await readdir(drop).catch((): string[] => []);
  const files = names
    .filter(name => /^[^.].*\.tgz$/.test(name))
    .sort(inOrder)
    .map(name => join(drop, name));
  const dangers = await codeDangers(files, io.err);
  let code: number = exitCodes.ok;
  let isNew = false;
  for (const [at, file] of files.entries()) {
    try {
      if (dangers[at] !== undefined) throw new Error(`The bundle ${file} was refused: ${dangers[at]}.`);
      if (!(await isBundle(file))) throw new Error(`${file} is not a bundle: make one with "platen plugins pack".`);
      const sha512 = await sha512Of(file);
      const records = await openBundlesFolder(settings.pluginsDir).records();
      if (records.some(each => each.sha512 === sha512)) continue;
      isNew = true;
      code = Math.max(code, await addBundle(file, flags, settings, io));
    } catch (error) {
      code = exitCodes.failure;
      io.err(printable((error as Error).message));
    }
  }
  if (!isNew && code === exitCodes.ok)
    io.out(files.length === 0 ? `There is no bundle in ${drop}.` : `All bundles in ${drop} are installed.`);
  return code;
}

/** `acme-1.9.0.tgz` before `acme-1.10.0.tgz`: the later one stays. */
function inOrder(a: string, b: string): number {
  const parts = (name: string): [string, string] => {
    const [, stem = name, version = ''] = /^(.*?)-v?(\d+\.\d+\.\d+.*)\.tgz$/.exec(name) ?? [];
    return [stem, version];
  };
  const [[stemA, versionA], [stemB, versionB]] = [parts(a), parts(b)];
  if (stemA === stemB) return compareVersions(versionA, versionB) || (a < b ? -1 : 1);
  return stemA < stemB ? -1 : 1;
}

async function sha512Of(file: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** Tries npm's packages out while those of bundles are away: these come back in place of one that is withdrawn. */
export async function withoutBundled(
  names: readonly string[],
  { pluginsDir }: PlacedSettings,
  check: () => Promise<Checked>,
): Promise<Checked> {
  const folder = openBundlesFolder(pluginsDir);
  const staging = await openStaging(folder);
  let kept: readonly string[] = names;
  try {
    for (const name of names) await staging.take(name);
    const checked = await check();
    kept = names.filter(name => checked.withdrawn.includes(name));
    await folder.forget(names.filter(name => !kept.includes(name)));
    return checked;
  } finally {
    for (const name of kept) await staging.restore(name);
    await staging.close();
  }
}

/** Takes plugins of bundles out, without npm. @param names all of them are there */
export async function removeBundled(names: readonly string[], { pluginsDir }: PlacedSettings, io: Io): Promise<void> {
  const folder = openBundlesFolder(pluginsDir);
  const staging = await openStaging(folder);
  try {
    try {
      for (const name of names) await staging.take(name);
    } catch (error) {
      for (const name of names) await staging.restore(name);
      throw error;
    }
    const gone = await folder.forget(names);
    const dropped = await readdir(dropFolder(pluginsDir)).catch((): string[] => []);
    for (const file of gone)
      if (dropped.includes(file))
        io.err(
          `${join(dropFolder(pluginsDir), file)} is still there: remove it, or "platen plugins add --offline" adds it again.`,
        );
  } finally {
    await staging.close();
  }
}
