/** The native helper, in which libsane runs, with the configured folder of backends. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperProgram, type Helper, type HelperTrace } from '@platen/driver-kit';

export interface HelperSettings {
  readonly configDir: string | undefined;
  readonly dataDir: string;
  /** Environment variables to add. */
  readonly env?: NodeJS.ProcessEnv;
}

const folder = new URL('..', import.meta.url);

/** The fix if the helper does not start. */
export const repair = `Install @platen/driver-sane again with its optional packages, and SANE if it is missing ("apt-get install libsane1"). In a clone, run "npm run build:native" in ${fileURLToPath(folder).replace(/\/$/, '')}`;

export const saneProgram = helperProgram(folder, 'platen-sane-helper');

/** What a trace has of SANE: its words and its options, not the names of devices. */
export const saneTrace: HelperTrace = {
  json: ['devices', 'options'],
  words: {
    init: ['version'],
    devices: ['vendor', 'model', 'type'],
    options: ['name', 'title', 'description', 'type', 'unit', 'strings'],
    parameters: ['format'],
    read: ['sample'],
    merge: ['sample'],
  },
};

/** Creates a helper. @param more environment variables to add */
export type MakeHelper = (log: Log, more?: NodeJS.ProcessEnv) => Helper;

/** Returns a function that creates helpers. */
export function helperOf({ configDir, dataDir, env }: HelperSettings): MakeHelper {
  const backends = configDir === undefined ? {} : { SANE_CONFIG_DIR: resolve(dataDir, configDir) };
  return (log, more) =>
    createHelper({
      name: 'sane',
      ...saneProgram,
      env: { ...process.env, ...env, ...backends, ...more },
      log,
      repair,
      trace: saneTrace,
    });
}
