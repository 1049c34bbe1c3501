/** Where the service finds its files and its port: flags override variables, which override the configuration. */
import { resolve } from 'node:path';
import { defaultDataFolder } from '../dataFolder/dataFolder.js';
import { ConfigError } from '../configError.js';
import { ownService, type InstalledService } from '../linuxService.js';
import { installationPrefix } from '../packageFolders.js';
import { platenJson } from './shipped.js';

export interface Settings {
  /** Absolute. */
  readonly configFile: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Where `platen plugins add` installs, absolute. Undefined in a clone. */
  readonly pluginsDir: string | undefined;
  /** Undefined: the configuration's `listen.port`. 0: a free port. */
  readonly port: number | undefined;
}

/**
 * @param from.flags as typed; absent if not given
 * @param from.configFile used if neither flag nor variable names one; absent: the service's, or the installation's
 * @param from.service that this account's commands mean; a test passes another
 * @param from.cwd the base of relative paths
 * @throws {ConfigError} naming the flag or variable and what it takes
 */
export function resolveSettings(from: {
  readonly flags?: { readonly config?: string | undefined; readonly port?: string | undefined };
  readonly env: NodeJS.ProcessEnv;
  readonly configFile?: string;
  readonly service?: InstalledService | undefined;
  readonly cwd?: string;
}): Settings {
  const { flags = {}, env, cwd = process.cwd() } = from;
  const installed = 'service' in from ? from.service : ownService();
  // Who names a data folder means no other.
  const service = env['PLATEN_DATA_DIR'] ? undefined : installed;
  const standard = from.configFile ?? service?.configFile ?? platenJson;
  if (flags.config === '') throw new ConfigError('--config takes the path of a configuration file.', { code: 'usage' });
  // An empty variable counts as not set.
  const configFile = flags.config ?? (env['PLATEN_CONFIG'] || standard);
  const plugins = env['PLATEN_PLUGINS_DIR'] || installationPrefix();
  return {
    configFile: resolve(cwd, configFile),
    dataDir: resolve(cwd, env['PLATEN_DATA_DIR'] || service?.dataDir || defaultDataFolder(env)),
    pluginsDir: plugins === undefined ? undefined : resolve(cwd, plugins),
    port:
      flags.port === undefined ? portOf('PLATEN_PORT', env['PLATEN_PORT'] || undefined) : portOf('--port', flags.port),
  };
}

function portOf(name: '--port' | 'PLATEN_PORT', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65535) return port;
  const code = name === '--port' ? 'usage' : 'configuration';
  throw new ConfigError(`${name} takes a port number from 0 to 65535 (0: a free port), not ${JSON.stringify(text)}.`, {
    code,
  });
}
