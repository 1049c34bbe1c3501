/** Where `platen origins` works: on the files of this computer's service, with the rights of their owner. */
import { access, constants, stat } from 'node:fs/promises';
import { prepareDataFolder } from '../../machine/dataFolder/dataFolder.js';
import { ConfigError, systemCode } from '../../machine/configError.js';
import { dataFolderHolder } from '../../machine/dataFolder/lock.js';
import type { ServiceAddress } from '../../machine/dataFolder/lockHolder.js';
import { platform } from '../../machine/platform.js';
import { readConfig } from '../../machine/config/read.js';
import type { Security } from '../../machine/config/schema.js';
import { resolveSettings } from '../../machine/config/settings.js';
import { administratorsFile } from '../../service/consent/administrator.js';
import type { Consent } from '../../service/consent/consent.js';
import { readConsent } from '../../service/consent/open.js';
import { becomeOwner } from '../parts/asOwner.js';
import type { Io } from '../../machine/io.js';

export interface OriginsPlace {
  readonly dataDir: string;
  readonly configFile: string;
  readonly administratorsFile: string;
  readonly security: Security;
  readonly consent: Consent;
  /** Where the service answers, or would; port 0: it takes any free one. */
  readonly address: ServiceAddress;
}

/** @throws {ConfigError} for a data folder, a configuration or an administrator's file that cannot be used */
export async function openOriginsPlace(flags: { readonly config?: string | undefined }, io: Io): Promise<OriginsPlace> {
  const settings = resolveSettings({ flags, env: io.env, cwd: io.cwd });
  const { dataDir } = settings;
  await enter(dataDir, io);
  const holder = await dataFolderHolder(dataDir);
  const service = holder.alive && holder.use?.use === 'service' ? holder.use : undefined;
  // A running service knows its configuration.
  const config = await readConfig(
    flags.config === undefined ? (service?.config ?? settings.configFile) : settings.configFile,
    dataDir,
  );
  const { security, file: configFile } = config;
  return {
    dataDir,
    configFile,
    administratorsFile: administratorsFile(configFile),
    security,
    consent: await readConsent({ security, configFile, dataDir }, io.err),
    address: {
      host: service?.host ?? security.allowedHosts[0] ?? 'localhost',
      port: service?.port || (settings.port ?? config.listen.port),
    },
  };
}

async function enter(dataDir: string, io: Io): Promise<void> {
  try {
    const found = await stat(dataDir);
    becomeOwner(dataDir, io.env);
    // Whatever else it is, the next step says so.
    if (found.isDirectory()) await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw inData(dataDir, error);
  }
  await prepareDataFolder(dataDir, io.err);
}

/** What the operating system refused in the data folder, with the fix. */
export function inData(dataDir: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new ConfigError(
      `There is no data folder ${dataDir}, so no service has its web pages there. ${asOwner} Before the first start of a service of your own: platen cert install.`,
      { cause: error },
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new ConfigError(`This account may not change the data folder ${dataDir}. ${asOwner}`, { cause: error });
  return error;
}

const asOwner =
  platform === 'win32'
    ? "Run this as administrator, or set PLATEN_DATA_DIR to the service's folder."
    : "Run this with sudo or as the account that runs the service, or set PLATEN_DATA_DIR to the service's folder.";
