/** Loads the plugins of a configuration for a command, as the service does; opens no scanner. */
import { loadPlugins, nullLog, type PluginReport, type ContributionSet } from '@platen/core';
import { prepareDataFolder } from '../../machine/dataFolder/dataFolder.js';
import { readConfig } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import { loadSettings } from '../../service/loading.js';
import { becomeOwner } from './asOwner.js';
import type { Io } from '../../machine/io.js';

export interface LoadedPlugins {
  /** For its user to close. */
  readonly registry: ContributionSet;
  readonly reports: readonly PluginReport[];
}

/** None of the plugins is required. @throws {ConfigError} */
export async function loadConfigured(
  { configFile, dataDir, pluginsDir }: Pick<Settings, 'configFile' | 'dataDir' | 'pluginsDir'>,
  io: Pick<Io, 'err' | 'env'>,
): Promise<LoadedPlugins> {
  const config = await readConfig(configFile, dataDir);
  becomeOwner(dataDir, io.env);
  await prepareDataFolder(dataDir, io.err);
  return loadPlugins({
    ...loadSettings({ config, pluginsDir, dataDir, warn: io.err }),
    entries: config.plugins.map(entry => ({ ...entry, required: false })),
    log: () => nullLog,
  });
}
