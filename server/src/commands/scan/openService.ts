/** Chooses what `platen scan` scans through: the service that has the data folder, or else one in this process. */
import type { Clock, Log } from '@platen/core';
import { prepareDataFolder } from '../../machine/dataFolder/dataFolder.js';
import { ConfigError } from '../../machine/configError.js';
import { startOf } from '../../machine/linuxService.js';
import { dataFolderHolder, DataFolderInUse, lockDataFolder } from '../../machine/dataFolder/lock.js';
import type { LiveHolder } from '../../machine/dataFolder/lockHolder.js';
import { readConfig } from '../../machine/config/read.js';
import type { Settings } from '../../machine/config/settings.js';
import { isRootElsewhere } from '../parts/asOwner.js';
import type { ReachedService } from './reachedService.js';
import { runningService } from './runningService.js';

/** How long to wait for a service that starts or stops. */
const WAIT_MS = 10_000;
const POLL_MS = 100;

export interface OpenParts {
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
export async function openService(parts: OpenParts): Promise<ReachedService> {
  const { settings, clock } = parts;
  const { dataDir } = settings;
  if (isRootElsewhere(dataDir)) return forRoot(parts);
  await prepareDataFolder(dataDir, parts.logFor('platen').warn);
  const until = clock.monotonic() + WAIT_MS;
  for (;;) {
    try {
      const unlock = await lockDataFolder(dataDir, () => ({ use: 'scan' }));
      return await inThisProcess(parts, unlock);
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || error.holder.use?.use === 'scan') throw error;
      const service = await running(parts, error.holder);
      if (service) return service;
      if (clock.monotonic() >= until) throw silent(error);
    }
    await Promise.race([new Promise<void>(resolve => clock.after(POLL_MS, resolve)), parts.stopped]);
  }
}

/** Root writes nothing into the folder of a service: only the running service scans for it. */
async function forRoot(parts: OpenParts): Promise<ReachedService> {
  const { dataDir } = parts.settings;
  const holder = await dataFolderHolder(dataDir);
  const service = holder.alive ? await running(parts, holder) : undefined;
  if (service) return service;
  throw new ConfigError(
    `No service uses the data folder ${dataDir}, which belongs to another account. Start the service: ${startOf(dataDir)}. Or run this as that account.`,
  );
}

async function inThisProcess({ settings, logFor }: OpenParts, unlock: () => Promise<void>): Promise<ReachedService> {
  try {
    const config = await readConfig(settings.configFile, settings.dataDir);
    const port = settings.port ?? config.listen.port;
    // A command that scans through another service does not load it.
    const { privateService } = await import('./privateService.js');
    const service = await privateService({ ...settings, config, port, logFor });
    return { ...service, close: () => service.close().finally(unlock) };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** @returns undefined if the service does not listen */
async function running(parts: OpenParts, holder: LiveHolder): Promise<ReachedService | undefined> {
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
  const service = await runningService(dataDir, use, clock);
  if (service) logFor('platen').info(`Scanning through the service${who} at https://${use.host}:${use.port}.`);
  return service;
}

function silent(error: DataFolderInUse): Error {
  const sentence = `${error.message} This command would scan through that service, but it does not listen after ${WAIT_MS / 1000} s.`;
  return Object.assign(new Error(sentence, { cause: error }), { code: error.code });
}
