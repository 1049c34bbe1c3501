/** Chooses where `platen scan` scans: through the service that has the data folder, or else in this process. */
import type { Clock, Log } from '@platen/core';
import { NoReply } from '../../machine/ask.js';
import { prepareDataFolder } from '../../machine/dataFolder/dataFolder.js';
import { ConfigError } from '../../machine/configError.js';
import { startOf } from '../../machine/linuxService.js';
import { dataFolderHolder, DataFolderInUse, lockDataFolder } from '../../machine/dataFolder/lock.js';
import type { LiveHolder } from '../../machine/dataFolder/lockHolder.js';
import { readConfig } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import { isRootElsewhere } from '../asOwner.js';
import type { ScanBackend } from './backend.js';
import { scanInProcess } from './inProcess.js';
import { scanThroughService } from './throughService.js';

/** How long to wait for a service that starts or stops. */
const WAIT_MS = 10_000;
const POLL_MS = 100;

export interface BackendParts {
  readonly settings: Settings;
  /** Whether a flag names the configuration: then it must be the service's. */
  readonly isConfigGiven: boolean;
  readonly clock: Clock;
  /** Rejects at the signal to stop. */
  readonly stopped: Promise<never>;
  /** The log of a part of the program. */
  logFor(part: string): Log;
}

/**
 * @throws `data-folder-in-use` if another scan has the data folder, or a service that does not listen;
 *   `certificate` if the service cannot be trusted; {ConfigError}
 */
export async function openBackend(parts: BackendParts): Promise<ScanBackend> {
  const { settings, clock } = parts;
  const { dataDir } = settings;
  if (isRootElsewhere(dataDir)) return forRoot(parts);
  await prepareDataFolder(dataDir, parts.logFor('platen').warn);
  const until = clock.monotonic() + WAIT_MS;
  for (;;) {
    try {
      const unlock = await lockDataFolder(dataDir, () => ({ use: 'scan' }));
      return await inProcess(parts, unlock);
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || error.holder.use?.use === 'scan') throw error;
      const backend = await throughService(parts, error.holder);
      if (backend) return backend;
      if (clock.monotonic() >= until) throw silent(error);
    }
    await Promise.race([new Promise<void>(resolve => clock.after(POLL_MS, resolve)), parts.stopped]);
  }
}

/** Root writes nothing into the folder of a service: only the running service scans for it. */
async function forRoot(parts: BackendParts): Promise<ScanBackend> {
  const { dataDir } = parts.settings;
  const holder = await dataFolderHolder(dataDir);
  const backend = holder.alive ? await throughService(parts, holder) : undefined;
  if (backend) return backend;
  throw new ConfigError(
    `No service uses the data folder ${dataDir}, which belongs to another account. Start the service: ${startOf(dataDir)}. Or run this as that account.`,
  );
}

async function inProcess({ settings, logFor }: BackendParts, unlock: () => Promise<void>): Promise<ScanBackend> {
  try {
    const config = await readConfig(settings.configFile);
    const port = settings.port ?? config.listen.port;
    const backend = await scanInProcess({ ...settings, config, port, logFor });
    return { ...backend, close: () => backend.close().finally(unlock) };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** @returns undefined if the service does not listen */
async function throughService(parts: BackendParts, holder: LiveHolder): Promise<ScanBackend | undefined> {
  const { settings, isConfigGiven, clock, logFor } = parts;
  const { dataDir, configFile } = settings;
  const { use } = holder;
  // A suspended holder does not answer; port 0 is a service that starts.
  if (use?.use !== 'service' || use.port === 0) return undefined;
  const who = holder.pid === undefined ? '' : ` (process ${holder.pid})`;
  if (isConfigGiven && use.config !== configFile)
    throw new ConfigError(
      `--config takes ${use.config} or nothing while the service${who} runs with that configuration. Or stop it, or set PLATEN_DATA_DIR to another folder.`,
      { code: 'usage' },
    );
  try {
    const backend = await scanThroughService({ dataDir, address: use, clock });
    logFor('platen').info(`Scanning through the service${who} at https://${use.host}:${use.port}.`);
    return backend;
  } catch (error) {
    if (error instanceof NoReply) return undefined;
    throw error;
  }
}

function silent(error: DataFolderInUse): Error {
  const sentence = `${error.message} This command would scan through that service, but it does not listen after ${WAIT_MS / 1000} s.`;
  return Object.assign(new Error(sentence, { cause: error }), { code: error.code });
}
