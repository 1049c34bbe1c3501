/** What `platen plugins add` does with packages that are in place: it tries each out, and says what to do next. */
import { dirname, join, resolve, sep } from 'node:path';
import type { LoadFault, PluginEntry } from '@platen/core';
import { readConfig } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import { exitCodes } from '../../machine/exitCodes.js';
import type { Io } from '../../machine/io.js';
import { printable } from '../../machine/printable.js';
import { isToken, licenceFolders, tokenIn, tokensFor } from '../../service/licences/licence.js';
import type { CheckAccount } from './checkAccount.js';
import { manifestOf } from './folder.js';
import { tryOut } from './tryOut.js';

/** Packages with these faults never load: they are taken out again. */
const useless: ReadonlySet<LoadFault | undefined> = new Set<LoadFault>(['api', 'import', 'not-a-plugin']);

export interface Added {
  readonly names: readonly string[];
  /** Its `node_modules` has them. */
  readonly folder: string;
  /** They are data for plugins, such as a language, and not plugins. */
  readonly data: boolean;
  readonly account: CheckAccount;
  /** Whether a useless one stays, because what it replaced cannot come back. */
  keeps(name: string): boolean;
}

export interface Checked {
  readonly code: number;
  /** For its caller to take out again. */
  readonly withdrawn: readonly string[];
}

export async function checkAdded(added: Added, settings: Settings, io: Io): Promise<Checked> {
  let code: number = exitCodes.ok;
  const withdrawn: string[] = [];
  for (const name of added.names) {
    const verdict = await checkOne(name, added, settings, io);
    if (verdict !== 'good') code = exitCodes.failure;
    if (verdict === 'withdrawn') withdrawn.push(name);
  }
  return { code, withdrawn };
}

async function checkOne(
  name: string,
  { folder, data, account, keeps }: Added,
  settings: Settings,
  io: Io,
): Promise<'good' | 'bad' | 'withdrawn'> {
  const manifest = await manifestOf(join(folder, 'node_modules', name));
  if (manifest?.name !== name) {
    io.err(
      printable(`The package ${name} says that it is ${String(manifest?.name)}, too. Ask its vendor for a right one.`),
    );
    return 'withdrawn';
  }
  const sentence = `Added ${name} ${manifest.version ?? ''} to ${folder}`;
  if (data) {
    io.out(`${sentence}. Restart the service.`);
    return 'good';
  }
  const { configFile } = settings;
  const licence = await licenceFor(name, settings);
  const question = { use: name, configFile, pluginsDir: settings.pluginsDir, licence };
  const tried = await tryOut(question, { account, env: io.env, warn: io.err });
  if (tried === undefined) {
    io.out(`${sentence}.`);
    io.err(
      "Its code did not run here, because it would have an administrator's rights: the service checks it when it starts. Its log says whether it was loaded.",
    );
    io.out(await nextStep(name, settings));
    return 'good';
  }
  const { report, file } = tried;
  const { state, fault, sentence: why = '', lacks } = report;
  if (state === 'refused' && fault !== 'options') {
    io.err(printable(why));
    if (useless.has(fault) && !keeps(name)) return 'withdrawn';
    io.err(`${sentence}, but the service will not load it as it is.`);
    return 'bad';
  }
  const provides = report.provides.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  io.out(printable(`${sentence}${provides === '' ? '' : `: ${provides}`}.`));
  const unused = (report.unused ?? []).map(each => each.sentence);
  for (const note of [state === 'loaded' ? undefined : why, ...unused, lacks])
    if (note !== undefined) io.out(printable(note));
  if (file !== undefined && !file.startsWith(`${join(folder, 'node_modules')}${sep}`))
    io.err(`The service loads another copy of it, ${file}: remove one of the two.`);
  io.out(await nextStep(name, settings));
  return 'good';
}

export async function nextStep(name: string, settings: Settings): Promise<string> {
  return (await isListed(name, settings))
    ? `${settings.configFile} lists it. Run: platen service reload`
    : `To use it, run: platen plugins enable ${name}`;
}

export const isListed = async (name: string, settings: Settings): Promise<boolean> =>
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
