/** Puts a service together from its configuration: the only file that knows the container. */
import 'reflect-metadata';
import { access, constants } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDevices, createScanner, createSemaphore, KEPT, loadPlugins, messageOf, openBoxStore, openSpool, systemClock, type AutoscanLimits, type Clock, type Log, type PluginReport, type ScanLimits } from '@platen/core';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { vetCode } from './config/codeAccess.js';
import { ConfigError } from './config/error.js';
import type { Config } from './config/schema.js';
import { createDesktop } from './desktop.js';
import { openDeviceMemory } from './deviceMemory.js';
import { createForPages } from './http/forPages.js';
import { createIsolate } from './isolate/isolate.js';
import { createEntitle } from './licence.js';
import type { Services } from './services.js';
import { createClients, type ClientLimits } from './responses/clients.js';
import { createProgress } from './responses/progress.js';
import { tokens } from './tokens.js';
import { fourPartVersion } from './version.js';

/** Where the server is installed: the second place where plugins are looked for. */
export const installation = dirname(fileURLToPath(import.meta.url));

export interface Ingredients {
  readonly config: Config & { readonly file: string };
  /** Exists, and is this service's alone. */
  readonly dataDir: string;
  readonly log: Log;
  /** The log of a plugin, by its package's name. */
  pluginLog(plugin: string): Log;
  readonly clock?: Clock;
}

export interface Composed {
  readonly services: Services;
  readonly reports: readonly PluginReport[];
  /** Ends a running scan after the sheet in hand; its answer can still be sent. */
  stopScanning(): Promise<void>;
  /** Closes the plugins. */
  close(): Promise<void>;
}

/** @throws where a required plugin cannot be loaded, or the data folder cannot be used */
export async function compose(ingredients: Ingredients): Promise<Composed> {
  const { config, dataDir, log, pluginLog, clock = systemClock } = ingredients;
  const spool = await openSpool(join(dataDir, 'spool'), config.memory.encodedBytes).catch((error: unknown) => {
    throw new ConfigError(`The data folder ${dataDir} cannot be used: ${messageOf(error)}`, { cause: error });
  });
  const memory = await openDeviceMemory(dataDir, log);
  const boxes = await openBoxStore(join(dataDir, 'spool', KEPT), log);
  const folders = [dirname(config.file), installation];
  const { registry, reports } = await loadPlugins({ entries: config.plugins, folders, dataDir, log: pluginLog, entitle: createEntitle(dataDir, clock), isolate: createIsolate({ clock }), vet: vetCode({ configFile: config.file, warn: log.warn }) });

  const own = container.createChildContainer();
  own.register(tokens.config, { useValue: config });
  own.register(tokens.dataDir, { useValue: dataDir });
  own.register(tokens.version, { useValue: fourPartVersion() });
  own.register(tokens.clock, { useValue: clock });
  own.register(tokens.log, { useValue: log });
  own.register(tokens.registry, { useValue: registry });
  own.register(tokens.spool, { useValue: spool });
  own.register(tokens.pool, { useValue: createSemaphore(availableParallelism()) });
  once(own, tokens.devices, c => createDevices(registry.drivers, c.resolve(tokens.clock), c.resolve(tokens.log), memory));
  once(own, tokens.desktop, c => createDesktop(registry, c.resolve(tokens.version)));
  once(own, tokens.scanner, c =>
    createScanner({
      devices: c.resolve(tokens.devices),
      registry,
      clock: c.resolve(tokens.clock),
      pool: c.resolve(tokens.pool),
      log: c.resolve(tokens.log),
      limits: limitsOf(config),
      boxes,
      autoscan: autoscanLimitsOf(config),
      idleMs: config.source.idleMinutes * 60_000,
    }),
  );
  once(own, tokens.services, c => ({
    scanner: c.resolve(tokens.scanner),
    registry,
    spool,
    desktop: c.resolve(tokens.desktop),
    clock: c.resolve(tokens.clock),
    log: c.resolve(tokens.log),
    forPages: createForPages(dataDir),
    progress: createProgress(),
    clients: createClients(clientLimitsOf(config), c.resolve(tokens.clock)),
    version: c.resolve(tokens.version),
    async check() {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      await spool.check();
    },
  }));

  const services = own.resolve(tokens.services);
  own.resolve(tokens.devices).start();
  return {
    services,
    reports,
    stopScanning: () => services.scanner.close('The service is stopping.'),
    async close() {
      await registry.close();
      await memory.close();
      own.clearInstances();
    },
  };
}

function once<T>(own: DependencyContainer, token: InjectionToken<T>, make: (c: DependencyContainer) => T): void {
  own.register<T>(token, { useFactory: instanceCachingFactory(make) });
}

function autoscanLimitsOf({ autoscan }: Config): AutoscanLimits {
  const { idleSeconds, maxFailures, outboxPages, resendBytes, keptHours } = autoscan;
  return { idleMs: idleSeconds * 1000, maxFailures, outboxPages, resendBytes, keptMs: keptHours * 3_600_000 };
}

function clientLimitsOf({ clients }: Config): ClientLimits {
  return { stallMs: clients.stallSeconds * 1000, maxStreams: clients.maxStreams, maxUnread: clients.maxUnread };
}

function limitsOf({ scan, memory }: Config): ScanLimits {
  return {
    inactivityMs: scan.inactivitySeconds * 1000,
    graceMs: scan.graceSeconds * 1000,
    deadlineGraceMs: scan.deadlineGraceSeconds * 1000,
    rawBytes: memory.rawBytes,
    maxPixels: memory.maxPixels,
  };
}
