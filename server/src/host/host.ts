/** The desktop application: the drivers of its configuration, served on a channel to the service. */
import { dirname } from 'node:path';
import { loadPlugins, type Driver, type Log } from '@platen/core';
import { ChannelError, listenChannel, mergeDrivers } from '@platen/driver-remote';
import { installation } from '../compose.js';
import { vetCode } from '../config/codeAccess.js';
import { ConfigError } from '../config/error.js';
import type { HostConfig } from '../config/schema.js';
import { createIsolate } from '../isolate/isolate.js';
import { createEntitle } from '../licence.js';
import { fourPartVersion } from '../version.js';
import { hostedDriver } from './hostedDriver.js';
import { oneService } from './oneService.js';

export interface HostIngredients {
  readonly config: HostConfig & { readonly file: string };
  /** It exists, and is the service's as well. The caller holds its lock for this channel. */
  readonly dataDir: string;
  readonly log: Log;
  pluginLog(plugin: string): Log;
}

export interface Host {
  readonly version: string;
  /** Where it listens. */
  readonly address: string;
  readonly drivers: readonly string[];
  /** Feeds nothing more; resolves when no scan runs. */
  stopScanning(): Promise<void>;
  close(): Promise<void>;
}

/** @throws {ConfigError} where the channel cannot be used; Error where a required plugin cannot be loaded */
export async function startHost({ config, dataDir, log, pluginLog }: HostIngredients): Promise<Host> {
  const version = fourPartVersion();
  const folders = [dirname(config.file), installation];
  const { registry } = await loadPlugins({
    entries: config.plugins,
    folders,
    dataDir,
    log: pluginLog,
    entitle: createEntitle(dataDir),
    isolate: createIsolate(),
    vet: vetCode({ configFile: config.file, warn: log.warn }),
  });
  try {
    for (const [kind, { length }] of [
      ['formats', registry.formats],
      ['processors', registry.processors],
    ] as const) {
      if (length > 0)
        log.warn(
          `Plugins of the configuration bring ${kind}, which the desktop application does not use: it has drivers only.`,
        );
    }
    if (registry.barcode || registry.ocr)
      log.warn(
        'Plugins of the configuration read codes or text, which the desktop application does not use: it has drivers only.',
      );
    const drivers = registry.drivers.filter(driver => isOwn(driver, log));
    if (drivers.length === 0)
      log.warn(
        `No driver is loaded: the service will find no scanner. The configuration ${config.file} lists drivers in "plugins".`,
      );
    const hosted = hostedDriver(mergeDrivers('desktop', drivers, log), config);
    const service = oneService(hosted.driver, { log, version });
    const listening = await listenChannel({ name: config.channel, dataDir, log, onStream: service.take }).catch(
      (error: unknown) => {
        throw error instanceof ChannelError ? new ConfigError(error.message, { cause: error }) : error;
      },
    );
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

/** A driver whose scanners belong to another program, such as the service's end of a channel, is not served. */
function isOwn({ id, link }: Driver, log: Log): boolean {
  if (link) log.warn(`The driver ${id} is left out: its scanners belong to another desktop application.`);
  return link === undefined;
}
