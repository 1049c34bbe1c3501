/** How plugins are loaded: the same for the service, the desktop application and every command. */
import { dirname } from 'node:path';
import type { Clock, Isolate, LoadSettings } from '@platen/core';
import type { Located } from '../machine/config/read.js';
import { vetCode } from '../machine/rights/codeAccess.js';
import { packageFolders } from '../machine/packageFolders.js';
import { createEntitle, licenceFolders } from './licences/licence.js';
import { machineId } from './licences/machineId.js';
import { notePlugin } from '../machine/pluginFolders.js';

/** The plugins are their author's own, who runs this process. */
export interface Development {
  /** Is called with the error for which a plugin is refused. */
  failing(use: string, error: unknown): void;
}

export interface LoadPlace {
  readonly config: Pick<Located, 'file' | 'files'>;
  /** Undefined: there is none beside the installation. */
  readonly pluginsDir?: string | undefined;
  readonly dataDir: string;
  readonly clock?: Clock;
  /** Absent: code loads only from places that no other account may write. */
  readonly development?: Development | undefined;
  /** Is called if Windows does not tell who may write the plugins' files. */
  warn(message: string): void;
}

/** All that the loader takes except the entries and their log. */
export function loadSettings({
  config: { file, files = [file] },
  pluginsDir,
  dataDir,
  clock,
  development,
  warn,
}: LoadPlace): Omit<LoadSettings, 'entries' | 'log'> {
  return {
    folders: packageFolders(file, pluginsDir),
    dataDir,
    entitle: createEntitle(dataDir, clock, machineId, licenceFolders(dirname(file), dataDir)),
    isolate: isolateWith(clock),
    ...(development ? { failing: development.failing } : { vet: vetCode({ configFiles: files, warn }) }),
    importing: notePlugin,
  };
}

/** Most configurations isolate no plugin, so what that needs is loaded for the first one. */
function isolateWith(clock: Clock | undefined): Isolate {
  return async (...asked) => {
    const { createIsolate } = await import('./isolate/isolate.js');
    return createIsolate(clock ? { clock } : {})(...asked);
  };
}
