/** The desktop application: the drivers of its configuration, served on a channel to the service. */
import { loadPlugins, type Driver, type Log } from '@platen/core';
import { ChannelError, listenChannel, mergeDrivers } from '@platen/driver-remote';
import { ConfigError } from '../../machine/configError.js';
import type { Located } from '../../machine/config/read.js';
import type { HostConfig } from '../../machine/config/schema.js';
import { loadSettings } from '../../service/loading.js';
import { logLoaded } from '../../service/logLoaded.js';
import { fourPartVersion } from '../../machine/version.js';
import { hostedDriver } from './hostedDriver.js';
import { oneService } from './oneService.js';
import { pipeRestriction } from './restrictPipe.js';

export interface HostIngredients {
  readonly config: HostConfig & Located;
  /** Exists, and is the service's too. The caller holds its lock for this channel. */
  readonly dataDir: string;
  /** Where plugins were added. */
  readonly pluginsDir?: string | undefined;
  readonly log: Log;
  pluginLog(plugin: string): Log;
}

export interface Host {
  readonly version: string;
  /** The address on which it listens. */
  readonly address: string;
  readonly drivers: readonly string[];
  /** Stops feeding; resolves when no scan runs. */
  stopScanning(): Promise<void>;
  close(): Promise<void>;
}

/** @throws {ConfigError} if the channel cannot be used; Error if a required plugin cannot be loaded */
export async function startHost({ config, dataDir, pluginsDir, log, pluginLog }: HostIngredients): Promise<Host> {
  const version = fourPartVersion();
  const { registry, reports } = await loadPlugins({
    ...loadSettings({ config, pluginsDir, dataDir, warn: log.warn }),
    entries: config.plugins,
    log: pluginLog,
  });
  logLoaded(reports, log);
  try {
    for (const [kind, { length }] of [
      ['formats', registry.formats],
      ['processors', registry.processors],
    ] as const) {
      if (length > 0)
        log.warn(
          `Plugins in the configuration provide ${kind}. The desktop application ignores them: it uses drivers only.`,
        );
    }
    if (registry.barcode || registry.ocr)
      log.warn(
        'Plugins in the configuration read barcodes or text. The desktop application ignores them: it uses drivers only.',
      );
    const drivers = registry.drivers.filter(driver => isOwn(driver, log));
    if (drivers.length === 0)
      log.warn(
        `No driver is loaded, so the service will find no scanner. List drivers under "plugins" in the configuration ${config.file}.`,
      );
    const hosted = hostedDriver(mergeDrivers('desktop', drivers, log), config);
    const service = oneService(hosted.driver, { log, version });
    const restrict = pipeRestriction(log);
    const listening = await listenChannel({
      name: config.channel,
      dataDir,
      log,
      onStream: service.take,
      ...(restrict && { restrict }),
    }).catch((error: unknown) => {
      throw error instanceof ChannelError ? new ConfigError(error.message, { cause: error }) : error;
    });
    return {
      version,
      address: listening.address,
      drivers: drivers.map(driver => driver.id),
      stopScanning: hosted.stop,
      async close() {
        await listening.close();
        await service.close();
        await registry.close();
      },
    };
  } catch (error) {
    await registry.close();
    throw error;
  }
}

/** Skips drivers whose scanners belong to another program, such as the service's end of a channel. */
function isOwn({ id, link }: Driver, log: Log): boolean {
  if (link) log.warn(`Skipped the driver ${id}: its scanners belong to another desktop application.`);
  return link === undefined;
}
