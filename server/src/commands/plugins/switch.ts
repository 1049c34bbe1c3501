/** `platen plugins enable` and `disable`: one file of conf.d, which the running service takes over. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolvePlugin } from '@platen/core';
import { ConfigError, systemCode } from '../../machine/configError.js';
import { confFolder, placeOf, readConfig } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import { exitCodes } from '../../machine/exitCodes.js';
import type { Io } from '../../machine/io.js';
import { parseJson } from '../../machine/json.js';
import { packageFolders } from '../../machine/packageFolders.js';
import { platform } from '../../machine/platform.js';
import { printable } from '../../machine/printable.js';
import { isServed, tellReload } from '../parts/reload.js';

/** The file that these commands write. */
export const SWITCHES = '80-plugins.json';

interface Switch {
  readonly use: string;
  readonly enabled: boolean;
}

/** @throws {ConfigError} for a name that is none, or a configuration with faults */
export async function switchPlugins(
  names: readonly string[],
  enabled: boolean,
  settings: Settings,
  io: Io,
): Promise<number> {
  const { configFile, dataDir } = settings;
  const folder = confFolder(configFile, dataDir);
  if (folder === undefined) throw new Error(`The configuration ${configFile} has no folder conf.d.`);
  const file = join(folder, SWITCHES);
  const before = await readConfig(configFile, dataDir);
  const uses: string[] = [];
  for (const name of names) uses.push(await useOf(name, before.plugins, settings, enabled));
  const old = await readFile(file, 'utf8').catch(() => undefined);
  const switches = switchesIn(old, file);
  for (const use of uses) {
    const isOn = before.plugins.find(each => each.use === use)?.enabled;
    if (isOn === enabled) io.out(printable(`${use} is ${enabled ? 'on' : 'off'} already.`));
    else switches.set(use, enabled);
  }
  const content: readonly Switch[] = [...switches].map(([use, isOn]) => ({ use, enabled: isOn }));
  await write(file, `${JSON.stringify({ plugins: content }, undefined, 2)}\n`);
  try {
    const after = await readConfig(configFile, dataDir);
    for (const use of uses) {
      const at = after.plugins.findIndex(each => each.use === use);
      const source = after.sourceOf(['plugins', at, 'enabled']);
      if (after.plugins[at]?.enabled !== enabled && source)
        throw new ConfigError(
          `${placeOf(source)} switches ${use} ${enabled ? 'off' : 'on'}, and counts more. Change it there.`,
        );
    }
  } catch (error) {
    await (old === undefined ? rm(file, { force: true }) : write(file, old));
    throw error;
  }
  for (const use of uses)
    io.out(
      printable(`${use} is ${enabled ? 'on' : 'off'}, by ${file}.${enabled ? '' : await clientsNote(use, settings)}`),
    );
  if (await isServed(settings)) return tellReload(settings, io);
  io.out('It counts from the next start of the service.');
  return exitCodes.ok;
}

/** What changes for web pages. */
const sentences: Readonly<Record<string, (id: string) => string>> = {
  recogniser: id => `Scans that ask for ${id} come without it, with a note.`,
  format: id => `Scans that ask for ${id} are refused.`,
  document: id => `Pages cannot be saved as ${id}.`,
};

async function clientsNote(use: string, { configFile, pluginsDir }: Settings): Promise<string> {
  const { declares = [] } = (await resolvePlugin(use, packageFolders(configFile, pluginsDir))) ?? {};
  return declares.map(({ kind, id }) => ` ${sentences[kind]?.(id) ?? ''}`.trimEnd()).join('');
}

/**
 * `NAME` for `@platen/NAME`, and for the only one of another scope.
 * @throws {ConfigError} that names what there is
 */
async function useOf(
  name: string,
  entries: readonly { readonly use: string }[],
  { configFile, pluginsDir }: Settings,
  enabled: boolean,
): Promise<string> {
  const uses = [...new Set(entries.map(({ use }) => use))];
  const found =
    uses.find(use => use === name) ??
    uses.find(use => use === `@platen/${name}`) ??
    (uses.filter(use => use.split('/').at(-1) === name).length === 1
      ? uses.find(use => use.split('/').at(-1) === name)
      : undefined);
  if (found !== undefined) return found;
  const folders = packageFolders(configFile, pluginsDir);
  for (const use of enabled ? [name, `@platen/${name}`] : [])
    if (/^(?:@[\w.-]+\/)?[\w.-]+$/.test(use) && (await resolvePlugin(use, folders))) return use;
  const install = enabled ? ` To install one: platen plugins add ${JSON.stringify(name)}.` : '';
  throw new ConfigError(
    `The configuration has no plugin ${JSON.stringify(name)}. It has ${uses.join(', ')}.${install}`,
    { code: 'usage' },
  );
}

/** @throws {ConfigError} for a file that somebody else wrote */
function switchesIn(text: string | undefined, file: string): Map<string, boolean> {
  if (text === undefined) return new Map();
  const { plugins, ...rest } = parseJson(text) as { plugins?: readonly Partial<Switch>[] };
  const isOurs = Object.keys(rest).length === 0 && Array.isArray(plugins);
  const entries = isOurs ? plugins.map(({ use, enabled, ...more }) => ({ use, enabled, more })) : [];
  if (!isOurs || entries.some(({ enabled, more }) => typeof enabled !== 'boolean' || Object.keys(more).length > 0))
    throw new ConfigError(
      `${file} has more than the switches that this command writes there. Move the rest to another file of the folder.`,
    );
  return new Map(entries.map(({ use = '', enabled = true }) => [use, enabled]));
}

async function write(file: string, text: string): Promise<void> {
  const made = `${file}.${process.pid}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 });
    await writeFile(made, text, { mode: 0o644 });
    await rename(made, file);
  } catch (error) {
    const code = systemCode(error);
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    const how = platform === 'win32' ? 'as administrator' : 'with sudo';
    throw new Error(`This account may not write ${file}. Run the command ${how}.`, { cause: error });
  }
}
