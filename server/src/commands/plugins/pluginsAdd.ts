/** `platen plugins add` and `remove`: packages in the folder where the service looks for plugins. */
import { dirname, join, resolve, sep } from 'node:path';
import type { LoadFault, PluginEntry } from '@platen/core';
import { isToken, licenceFolders, tokenIn, tokensFor } from '../../service/licences/licence.js';
import { installationPrefix } from '../../machine/packageFolders.js';
import { readConfig } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import {
  hasPackage,
  installedPackage,
  linkPeers,
  manifestOf,
  openPluginsFolder,
  preparePluginsFolder,
  type PluginsFolder,
} from './folder.js';
import { findNpm, NpmError, runNpm, type Npm, type NpmCall } from './npm.js';
import { packageSpec, type PackageSpec } from './packageSpec.js';
import { checkAccount, type CheckAccount } from './checkAccount.js';
import { tryOut } from './tryOut.js';
import { printable } from '../../machine/printable.js';
import { exitCodes } from '../../machine/exitCodes.js';
import type { Io } from '../../machine/io.js';

/** Packages with these faults never load: they are taken out again. */
const useless: ReadonlySet<LoadFault | undefined> = new Set<LoadFault>(['api', 'import', 'not-a-plugin']);

export interface AddFlags {
  /** They are data for plugins, such as a language, and not plugins. */
  readonly data: boolean;
  /** Their install scripts run. */
  readonly scripts: boolean;
}

/** For tests. */
export type WhoChecks = (env: NodeJS.ProcessEnv) => Promise<CheckAccount>;

interface Place {
  readonly folder: PluginsFolder;
  call(asked: Pick<NpmCall, 'verb' | 'packages' | 'scripts' | 'areFiles'>): Promise<void>;
}

/** @throws {ConfigError} for a name that is none; Error with the fix */
export async function addPlugins(
  names: readonly string[],
  settings: Settings,
  io: Io,
  { data, scripts }: AddFlags,
  whoChecks: WhoChecks = checkAccount,
): Promise<number> {
  const specs = await Promise.all(names.map(name => packageSpec(name, io.cwd)));
  const missing: PackageSpec[] = [];
  for (const spec of specs) {
    if (spec.name.startsWith('@platen/') && (await installedPackage(spec.name)) !== undefined)
      io.out(`${spec.name} is part of the installation. ${await nextStep(spec.name, settings)}`);
    else missing.push(spec);
  }
  if (missing.length === 0) return exitCodes.ok;
  const { folder, call } = await openPlace(settings, io);
  // Whatever umask the administrator has, the service's account reads what is added.
  process.umask(0o022);
  await preparePluginsFolder(folder);
  const before = new Set<string>();
  for (const { name } of missing) if (await hasPackage(folder, name)) before.add(name);
  await install(missing, { folder, call }, scripts);
  const account = data ? 'none' : await whoChecks(io.env);
  let code: number = exitCodes.ok;
  const withdrawn: string[] = [];
  for (const { name } of missing) {
    const manifest = await manifestOf(join(folder.path, 'node_modules', name));
    if (manifest?.name !== name) {
      code = exitCodes.failure;
      io.err(
        printable(
          `The package ${name} says that it is ${String(manifest?.name)}, too. Ask its vendor for a right one.`,
        ),
      );
      withdrawn.push(name);
      continue;
    }
    const added = `Added ${name} ${manifest.version ?? ''} to ${folder.path}`;
    if (data) {
      io.out(`${added}. Restart the service.`);
      continue;
    }
    const { configFile } = settings;
    const licence = await licenceFor(name, settings);
    const question = { use: name, configFile, pluginsDir: folder.path, licence };
    const tried = await tryOut(question, { account, env: io.env, warn: io.err });
    if (tried === undefined) {
      io.out(`${added}.`);
      io.err(
        "Its code did not run here, because it would have an administrator's rights: the service checks it when it starts. Its log says whether it was loaded.",
      );
      io.out(await nextStep(name, settings));
      continue;
    }
    const { report, file } = tried;
    const { state, fault, sentence = '', lacks } = report;
    if (state === 'refused' && fault !== 'options') {
      code = exitCodes.failure;
      io.err(printable(sentence));
      if (useless.has(fault) && !before.has(name)) withdrawn.push(name);
      else io.err(`${added}, but the service will not load it as it is.`);
      continue;
    }
    const provides = report.provides.map(({ kind, id }) => `${kind} ${id}`).join(', ');
    io.out(printable(`${added}${provides === '' ? '' : `: ${provides}`}.`));
    const unused = (report.unused ?? []).map(each => each.sentence);
    for (const note of [state === 'loaded' ? undefined : sentence, ...unused, lacks])
      if (note !== undefined) io.out(printable(note));
    if (file !== undefined && !file.startsWith(`${folder.path}${sep}`))
      io.err(`The service loads another copy of it, ${file}: remove one of the two.`);
    io.out(await nextStep(name, settings));
  }
  if (withdrawn.length > 0) {
    await call({ verb: 'uninstall', packages: withdrawn });
    io.err(`Removed ${withdrawn.join(', ')} again.`);
  }
  return code;
}

/** @throws Error that names what is missing if the files need more packages and no registry answers */
async function install(specs: readonly PackageSpec[], { folder, call }: Place, scripts: boolean): Promise<void> {
  const areFiles = specs.every(({ needs }) => needs !== undefined);
  try {
    await call({ verb: 'install', packages: specs.map(({ spec }) => spec), scripts, areFiles });
  } catch (error) {
    if (!areFiles || !(error instanceof NpmError && error.isUnreachable)) throw error;
    const lines: string[] = [];
    for (const { name, needs = [] } of specs)
      for (const [needed, version] of needs) {
        if (specs.some(spec => spec.name === needed) || (await hasPackage(folder, needed))) continue;
        const own = await installedPackage(needed);
        const shared = own === undefined ? '' : ` (a package that has it in peerDependencies uses the installation's)`;
        lines.push(`${name} needs ${needed} ${version}, which is not in its file${shared}.`);
      }
    const why = `npm cannot reach its registry (${error.npmCode})`;
    throw new NpmError(
      lines.length === 0
        ? `A dependency of a dependency is in none of the files, and ${why}. Ask the vendor for a package that contains its dependencies (bundleDependencies).`
        : `${printable(lines.join(' '))} ${why}. Pass the files of these packages too, or ask the vendor for a package that contains them (bundleDependencies).`,
      error.npmCode,
      { cause: error },
    );
  }
}

export async function removePlugins(names: readonly string[], settings: Settings, io: Io): Promise<number> {
  const { folder, call } = await openPlace(settings, io);
  const absent: string[] = [];
  for (const name of names) if (name === '@platen/server' || !(await hasPackage(folder, name))) absent.push(name);
  if (absent.length > 0)
    throw new Error(
      `${folder.path} has no added plugin ${absent.join(', ')}. "platen plugins list" shows the plugins.`,
    );
  await preparePluginsFolder(folder);
  await call({ verb: 'uninstall', packages: names });
  for (const name of names) {
    const listed = await isListed(name, settings);
    io.out(
      `Removed ${name} from ${folder.path}.${listed ? ` ${settings.configFile} still lists it: remove its entry.` : ''} Restart the service.`,
    );
  }
  return exitCodes.ok;
}

async function openPlace({ pluginsDir }: Settings, io: Io): Promise<Place> {
  if (pluginsDir === undefined)
    throw new Error(
      'This platen runs from a clone, which has no folder for added plugins. Set PLATEN_PLUGINS_DIR to one, for the service too, or give the path of a plugin in the configuration.',
    );
  const prefix = installationPrefix();
  const folder = await openPluginsFolder(pluginsDir, prefix);
  const npm: Npm | undefined = await findNpm(prefix, io.env);
  if (!npm)
    throw new Error(
      `There is no npm: neither beside Node (${process.execPath}) nor in PATH. Install Node again, with its npm.`,
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

async function nextStep(name: string, settings: Settings): Promise<string> {
  return (await isListed(name, settings))
    ? `${settings.configFile} lists it. Run: platen service reload`
    : `To use it, run: platen plugins enable ${name}`;
}

const isListed = async (name: string, settings: Settings): Promise<boolean> =>
  (await entryOf(name, settings)) !== undefined;

async function entryOf(name: string, { configFile, dataDir }: Settings): Promise<PluginEntry | undefined> {
  try {
    return (await readConfig(configFile, dataDir)).plugins.find(({ use }) => use === name);
  } catch {
    // `platen config check` says what is wrong with it.
    return undefined;
  }
}

/** The token itself: the account that tries the plugin out cannot read the data folder. */
async function licenceFor(name: string, settings: Settings): Promise<string | undefined> {
  const folders = licenceFolders(dirname(settings.configFile), settings.dataDir);
  const licence = (await entryOf(name, settings))?.licence ?? (await tokensFor(name, folders))[0];
  if (licence === undefined || isToken(licence)) return licence;
  const file = resolve(settings.dataDir, licence);
  // With the path, the check says what is wrong with the file.
  return tokenIn(file).catch(() => file);
}
