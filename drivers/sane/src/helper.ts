/** Where libsane runs: the native helper, with the configuration's folder of backends. */
import { resolve } from 'node:path';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperPath, type Helper } from '@platen/driver-wire';
import { repair } from './driver.js';

export interface HelperSettings {
  readonly configDir: string | undefined;
  readonly dataDir: string;
  /** Added to the environment. */
  readonly env?: NodeJS.ProcessEnv;
}

export const command = helperPath(new URL('..', import.meta.url), 'platen-sane-helper');

/** What makes a helper of its own for each that needs one. */
export function helperOf({ configDir, dataDir, env }: HelperSettings): (log: Log) => Helper {
  const folder = configDir === undefined ? {} : { SANE_CONFIG_DIR: resolve(dataDir, configDir) };
  return log => createHelper({ name: 'sane', command, env: { ...process.env, ...env, ...folder }, log, repair });
}
