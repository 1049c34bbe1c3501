/** Where the service finds its things: flags beat variables, variables beat the file. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultDataFolder } from './dataFolder.js';
import { ConfigError } from './error.js';

export interface Settings {
  /** Absolute. */
  readonly configFile: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Undefined: the configuration's `listen.port`. 0: a free one. */
  readonly port: number | undefined;
}

/** An installation's configuration, in the package. */
const platenJson = fileURLToPath(new URL('../../config/platen.json', import.meta.url));
/** The same of the desktop application. */
export const hostJson = fileURLToPath(new URL('../../config/host.json', import.meta.url));

/**
 * @param from.flags as they were typed; absent where they were not
 * @param from.configFile where neither flag nor variable names one; an installation's own when absent
 * @param from.cwd what relative paths are relative to
 * @throws {ConfigError} naming the flag or variable and what it takes
 */
export function resolveSettings(from: {
  readonly flags?: { readonly config?: string | undefined; readonly port?: string | undefined };
  readonly env: NodeJS.ProcessEnv;
  readonly configFile?: string;
  readonly cwd?: string;
}): Settings {
  const { flags = {}, env, configFile: standard = platenJson, cwd = process.cwd() } = from;
  if (flags.config === '') throw new ConfigError('--config takes the path of a file.', { code: 'usage' });
  // A variable that is set to nothing is one that is not set.
  const configFile = flags.config ?? (env['PLATEN_CONFIG'] || standard);
  return {
    configFile: resolve(cwd, configFile),
    dataDir: resolve(cwd, env['PLATEN_DATA_DIR'] || defaultDataFolder(env)),
    port:
      flags.port === undefined ? portOf('PLATEN_PORT', env['PLATEN_PORT'] || undefined) : portOf('--port', flags.port),
  };
}

function portOf(name: '--port' | 'PLATEN_PORT', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65535) return port;
  const code = name === '--port' ? 'usage' : 'configuration';
  throw new ConfigError(`${name} takes a port number from 0 to 65535 (0: a free one), not ${JSON.stringify(text)}.`, {
    code,
  });
}
