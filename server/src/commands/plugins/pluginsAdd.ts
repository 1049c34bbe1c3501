/** `platen plugins add` and `remove`: packages in the folder where the service looks for plugins. */
import { resolve } from 'node:path';
import { exitCodes } from '../../machine/exitCodes.js';
import type { Io } from '../../machine/io.js';
import { installationPrefix } from '../../machine/packageFolders.js';
import { printable } from '../../machine/printable.js';
import type { Settings } from '../../machine/config/settings.js';
import { usage } from '../parts/newFile.js';
import {
  addBundle,
  addDropped,
  removeBundled,
  withoutBundled,
  type AddBundleFlags,
  type PlacedSettings,
} from './bundles/addBundles.js';
import { hasBundled } from './bundles/bundlesFolder.js';
import { isBundle } from './bundles/unpack.js';
import { checkAccount, type CheckAccount } from './checkAccount.js';
import { checkAdded, isListed, nextStep, type Checked } from './checkAdded.js';
import {
  hasPackage,
  installedPackage,
  linkPeers,
  openPluginsFolder,
  preparePluginsFolder,
  type PluginsFolder,
} from './folder.js';
import { findNpm, NpmError, runNpm, type Npm, type NpmCall } from './npm.js';
import { packageSpec, type PackageSpec } from './packageSpec.js';

export interface AddFlags {
  /** They are data for plugins, such as a language, and not plugins. */
  readonly data: boolean;
  /** Their install scripts run. */
  readonly scripts: boolean;
  /** Nothing is asked of a network. Without names, the bundles of the folder `plugins.d` are added. */
  readonly offline: boolean;
}

/** For tests. */
export type WhoChecks = (env: NodeJS.ProcessEnv) => Promise<CheckAccount>;

interface Place {
  readonly folder: PluginsFolder;
  call(asked: Pick<NpmCall, 'verb' | 'packages' | 'scripts' | 'areFiles' | 'offline'>): Promise<void>;
}

/** @throws {ConfigError} for a name that is none; Error with the fix */
export async function addPlugins(
  names: readonly string[],
  settings: Settings,
  io: Io,
  { data, scripts, offline }: AddFlags,
  whoChecks: WhoChecks = checkAccount,
): Promise<number> {
  const files = names.map(name => (/\.(?:tgz|tar\.gz)$/.test(name) ? resolve(io.cwd, name) : undefined));
  const areBundles = await Promise.all(files.map(file => file !== undefined && isBundle(file)));
  const bundles = files.filter((file, at) => file !== undefined && areBundles[at] === true) as readonly string[];
  const specs = await Promise.all(names.filter((_, at) => !areBundles[at]).map(name => packageSpec(name, io.cwd)));
  const online = offline ? specs.find(({ needs }) => needs === undefined) : undefined;
  if (online)
    throw usage(
      `${online.spec} comes from npm's registry, and --offline asks none. On a computer with a network, make a file: platen plugins pack ${online.spec} --out ${online.name.replace(/^.*\//, '')}.tgz`,
    );
  const missing: PackageSpec[] = [];
  for (const spec of specs) {
    if (spec.name.startsWith('@platen/') && (await installedPackage(spec.name)) !== undefined)
      io.out(`${spec.name} is part of the installation. ${await nextStep(spec.name, settings)}`);
    else missing.push(spec);
  }
  // Whatever umask the administrator has, the service's account reads what is added.
  process.umask(0o022);
  const asked = { data, whoChecks: () => whoChecks(io.env) };
  if (names.length === 0) return addDropped(asked, placed(settings), io);
  let code: number = exitCodes.ok;
  for (const file of bundles) code = Math.max(code, await addBundle(file, asked, placed(settings), io));
  if (missing.length === 0) return code;
  return Math.max(code, await addWithNpm(missing, { scripts, offline, ...asked }, placed(settings), io));
}

interface NpmFlags extends AddBundleFlags {
  readonly scripts: boolean;
  readonly offline: boolean;
}

async function addWithNpm(
  specs: readonly PackageSpec[],
  { data, scripts, offline, whoChecks }: NpmFlags,
  settings: PlacedSettings,
  io: Io,
): Promise<number> {
  const { folder, call } = await openPlace(settings, io);
  await preparePluginsFolder(folder);
  const names = specs.map(({ name }) => name);
  const before = new Set<string>();
  for (const name of names) if (await hasPackage(folder, name)) before.add(name);
  await install(specs, { folder, call }, { scripts, offline });
  // A bundle's is found first, so it makes way.
  const bundled: string[] = [];
  for (const name of names) if (await hasBundled(settings.pluginsDir, name)) bundled.push(name);
  const account = data ? 'none' : await whoChecks();
  const added = { names, folder: folder.path, data, account, keeps: (name: string) => before.has(name) };
  const check = (): Promise<Checked> => checkAdded(added, settings, io);
  const { code, withdrawn } = await (bundled.length === 0 ? check() : withoutBundled(bundled, settings, check));
  if (withdrawn.length > 0) {
    await call({ verb: 'uninstall', packages: withdrawn });
    io.err(`Removed ${withdrawn.join(', ')} again.`);
  }
  return code;
}

/** @throws Error that names what is missing if the files need more packages and no registry answers */
async function install(
  specs: readonly PackageSpec[],
  { folder, call }: Place,
  { scripts, offline }: Pick<NpmFlags, 'scripts' | 'offline'>,
): Promise<void> {
  const areFiles = specs.every(({ needs }) => needs !== undefined);
  try {
    await call({ verb: 'install', packages: specs.map(({ spec }) => spec), scripts, areFiles, offline });
  } catch (error) {
    if (!areFiles || !(error instanceof NpmError && error.isUnreachable)) throw error;
    const remedy =
      'Pass the files of what is missing, too; or make one file of all with "platen plugins pack", on a computer with a network; or ask the vendor for a package that contains its dependencies (bundleDependencies).';
    const lines: string[] = [];
    for (const { name, needs = [] } of specs)
      for (const [needed, version] of needs) {
        if (specs.some(spec => spec.name === needed) || (await hasPackage(folder, needed))) continue;
        const own = await installedPackage(needed);
        const shared = own === undefined ? '' : ` (a package that has it in peerDependencies uses the installation's)`;
        lines.push(`${name} needs ${needed} ${version}, which is not in its file${shared}.`);
      }
    const why = offline ? '--offline asks no registry' : `npm cannot reach its registry (${error.npmCode})`;
    throw new NpmError(
      lines.length === 0
        ? `A dependency of a dependency is in none of the files, and ${why}. ${remedy}`
        : `${printable(lines.join(' '))} ${why}. ${remedy}`,
      error.npmCode,
      { cause: error },
    );
  }
}

export async function removePlugins(names: readonly string[], settings: Settings, io: Io): Promise<number> {
  const own = placed(settings);
  const folder = await openPluginsFolder(own.pluginsDir, installationPrefix());
  const bundled: string[] = [];
  const npms: string[] = [];
  const absent: string[] = [];
  for (const name of new Set(names)) {
    const isBundled = await hasBundled(own.pluginsDir, name);
    const isNpms = name !== '@platen/server' && (await hasPackage(folder, name));
    if (isBundled) bundled.push(name);
    if (isNpms) npms.push(name);
    if (!isBundled && !isNpms) absent.push(name);
  }
  if (absent.length > 0)
    throw new Error(
      `${folder.path} has no added plugin ${absent.join(', ')}. "platen plugins list" shows the plugins.`,
    );
  // It has npm, or nothing is removed.
  const place = npms.length === 0 ? undefined : await openPlace(own, io);
  if (bundled.length > 0) await removeBundled(bundled, own, io);
  if (place) {
    await preparePluginsFolder(place.folder);
    await place.call({ verb: 'uninstall', packages: npms });
  }
  for (const name of names) {
    const listed = await isListed(name, settings);
    io.out(
      `Removed ${name} from ${folder.path}.${listed ? ` The configuration still lists it: run "platen plugins disable ${name}", or remove its entry.` : ''} A running service has it until: platen service reload`,
    );
  }
  return exitCodes.ok;
}

/** @throws Error with the fix if there is no plugins folder */
function placed(settings: Settings): PlacedSettings {
  const { pluginsDir } = settings;
  if (pluginsDir === undefined)
    throw new Error(
      'This platen runs from a clone, which has no folder for added plugins. Set PLATEN_PLUGINS_DIR to one, for the service too, or give the path of a plugin in the configuration.',
    );
  return { ...settings, pluginsDir };
}

async function openPlace({ pluginsDir }: PlacedSettings, io: Io): Promise<Place> {
  const prefix = installationPrefix();
  const folder = await openPluginsFolder(pluginsDir, prefix);
  const npm: Npm | undefined = await findNpm(prefix, io.env);
  if (!npm)
    throw new Error(
      `There is no npm: neither beside Node (${process.execPath}) nor in PATH. Install Node again, with its npm. A bundle needs none: "platen plugins pack" makes one, on a computer with npm.`,
    );
  return {
    folder,
    async call(asked) {
      try {
        await runNpm({ ...asked, npm, folder, env: io.env });
      } finally {
        await linkPeers(folder);
      }
    },
  };
}
