/** Loads the plugins of a configuration for a command, as the service does; opens no scanner. */
import { dirname } from 'node:path';
import { loadPlugins, nullLog, type PluginReport, type Registry } from '@platen/core';
import { installation } from '../compose.js';
import { vetCode } from '../config/codeAccess.js';
import { prepareDataFolder } from '../config/dataFolder.js';
import { readConfig } from '../config/read.js';
import type { Settings } from '../config/settings.js';
import { createIsolate } from '../isolate/isolate.js';
import { createEntitle } from '../licence.js';
import type { Io } from './io.js';

export interface LoadedPlugins {
  /** For its user to close. */
  readonly registry: Registry;
  readonly reports: readonly PluginReport[];
}

/** None of the plugins is required. @throws {ConfigError} */
export async function loadConfigured(
  { configFile, dataDir }: Pick<Settings, 'configFile' | 'dataDir'>,
  io: Pick<Io, 'err'>,
): Promise<LoadedPlugins> {
  const config = await readConfig(configFile);
  await prepareDataFolder(dataDir);
  return loadPlugins({
    entries: config.plugins.map(entry => ({ ...entry, required: false })),
    folders: [dirname(config.file), installation],
    dataDir,
    log: () => nullLog,
    entitle: createEntitle(dataDir),
    isolate: createIsolate(),
    vet: vetCode({ configFile: config.file, warn: io.err }),
  });
}
