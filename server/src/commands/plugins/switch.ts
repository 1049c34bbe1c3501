/** `platen plugins enable` and `disable`: one file of conf.d, which the running service takes over. */
import { resolvePlugin } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import { fixedPlace } from '../../machine/config/fixed.js';
import { ownEntries, ownFile, ownName, ownText, readOwn, writeOwn } from '../../machine/config/ownFile.js';
import { placeOf, readConfig } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import { exitCodes } from '../../machine/exitCodes.js';
import type { Io } from '../../machine/io.js';
import { packageFolders } from '../../machine/packageFolders.js';
import { printable } from '../../machine/printable.js';
import { isServed, tellReload } from '../parts/reload.js';

/** @throws {ConfigError} for a name that is none, or a configuration with faults */
export async function switchPlugins(
  names: readonly string[],
  enabled: boolean,
  settings: Settings,
  io: Io,
): Promise<number> {
  const { configFile, dataDir } = settings;
  const file = ownFile(configFile, dataDir);
  const before = await readConfig(configFile, dataDir);
  const uses: string[] = [];
  for (const name of names) uses.push(await useOf(name, before.plugins, settings, enabled));
  const own = new Map(ownEntries(await readOwn(file), file));
  for (const use of uses) {
    const isOn = before.plugins.find(each => each.use === use)?.enabled;
    if (isOn === enabled) io.out(printable(`${use} is ${enabled ? 'on' : 'off'} already.`));
    else own.set(ownName(use, configFile), { ...own.get(ownName(use, configFile)), enabled });
  }
  const text = ownText(own);
  const after = await readConfig(configFile, dataDir, fixedPlace, { file, text });
  for (const use of uses) {
    const at = after.plugins.findIndex(each => each.use === use);
    const source = after.sourceOf(['plugins', at, 'enabled']);
    if (after.plugins[at]?.enabled !== enabled && source)
      throw new ConfigError(
        `${placeOf(source)} switches ${use} ${enabled ? 'off' : 'on'}, and counts more. Change it there.`,
      );
  }
  await writeOwn(file, text, { dataDir });
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
