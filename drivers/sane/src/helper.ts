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

/** The folders that libsane searches for its configuration. */
const FOLDERS = 'SANE_CONFIG_DIR';

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

export interface HelperWishes {
  /** Environment variables to add. */
  readonly env?: NodeJS.ProcessEnv;
  /** A folder whose files replace those of the same name in SANE's configuration. */
  readonly front?: string;
}

/** Creates a helper. */
export type MakeHelper = (log: Log, wishes?: HelperWishes) => Helper;

/** Returns a function that creates helpers. */
export function helperOf({ configDir, dataDir, env }: HelperSettings): MakeHelper {
  const usual = { ...process.env, ...env, ...(configDir !== undefined && { [FOLDERS]: resolve(dataDir, configDir) }) };
  return (log, wishes = {}) =>
    createHelper({
      name: 'sane',
      ...saneProgram,
      env: { ...usual, ...inFront(wishes.front, usual[FOLDERS]), ...wishes.env },
      log,
      repair,
      trace: saneTrace,
    });
}

/** If the list of folders ends with a colon, libsane adds its own. */
function inFront(front: string | undefined, folders = ''): NodeJS.ProcessEnv {
  return front === undefined ? {} : { [FOLDERS]: `${front}:${folders}` };
}
