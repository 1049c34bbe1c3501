/**
 * Composes a service: opens what must be opened, and makes each part from others. Only this file knows the container.
 */
// tsyringe requires it.
import 'reflect-metadata';
import { access, constants } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  createDevices,
  createHealth,
  createSemaphore,
  createScanService,
  messageOf,
  openPlugins,
  openScanStore,
  openSpool,
  spoolStore,
  systemClock,
  type AutoscanLimits,
  type Log,
  type PluginReport,
  type ScanLimits,
} from '@platen/core';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { ConfigError } from '../machine/configError.js';
import { createFeatures } from './features.js';
import type { Located } from '../machine/config/read.js';
import type { Config } from '../machine/config/schema.js';
import { openConsent } from './consent/open.js';
import { createDesktop } from './desktop.js';
import { openDeviceMemory } from './deviceMemory.js';
import { platform } from '../machine/platform.js';
import { checkedProfiles, usableProfiles, type Profiles } from './parameters/profiles.js';
import { createReload, type Reloaded } from './reload.js';
import { createForPages } from './http/answers/forPages.js';
import { watchLicences } from './licences/watch.js';
import { loadSettings, type Development } from './loading.js';
import { createMetrics } from './metrics/metrics.js';
import { createTally } from './metrics/tally.js';
import { createClients, type ClientLimits } from './responses/clients.js';
import { createThumbnails } from './responses/thumbnails.js';
import type { RouteParts } from './routeParts.js';
import { createSettingsDesk } from './settings/desk.js';
import { tokens, type Parts } from './tokens.js';
import { fourPartVersion } from '../machine/version.js';

export interface Ingredients {
  readonly config: Config & Located;
  /** Exists, and this service holds its lock. */
  readonly dataDir: string;
  /** Where plugins were added. */
  readonly pluginsDir?: string | undefined;
  readonly development?: Development;
  readonly log: Log;
  /** Called when a scan, of a client or of auto-scan, is over. */
  readonly scanEnded?: (() => void) | undefined;
  /** Of the command that changes settings; absent: none may. */
  readonly settingsToken?: string | undefined;
  /** Returns a plugin's log, by its package's name. */
  pluginLog(plugin: string): Log;
}

export interface Composed {
  readonly routeParts: RouteParts;
  /** As of the last reload. */
  reports(): readonly PluginReport[];
  /**
   * Takes over what is changed in the configuration, between scans.
   * @throws {ConfigError} for one that cannot be used: everything is as it was
   */
  reload(config: Config & Located): Promise<Reloaded>;
  /** Ends a running scan after the current sheet; its answer can still be sent. */
  stopScanning(): Promise<void>;
  /** Closes the plugins. */
  close(): Promise<void>;
}

/**
 * @param replaced parts that replace those that would be opened or made, for tests
 * @throws if a profile is invalid, a required plugin cannot be loaded, or the data folder cannot be used
 */
export async function compose(ingredients: Ingredients, replaced: Partial<Parts> = {}): Promise<Composed> {
  const { config, dataDir, pluginsDir, development, log, pluginLog, scanEnded, settingsToken } = ingredients;
  const profiles = checkedProfiles(config.profiles, config);
  const { clock = systemClock } = replaced;
  const unusable = (error: unknown): never => {
    throw new ConfigError(`The data folder ${dataDir} cannot be used: ${messageOf(error)}`, { cause: error });
  };
  const spool = await openSpool(join(dataDir, 'spool'), config.memory.encodedBytes).catch(unusable);
  const memory = await openDeviceMemory(dataDir, log);
  const scansFolder = join(dataDir, 'scans');
  const scanStore = await openScanStore(scansFolder, log, config.scans.keep ? undefined : 'autoscan').catch(unusable);
  const tally = createTally(config.metrics);
  const consent = await openConsent({
    security: config.security,
    configFile: config.file,
    dataDir,
    clock,
    log,
    audited: ({ event, origin }) => event === 'scan' && tally.scanned(origin),
  });
  const plugins = await openPlugins({
    ...loadSettings({ config, pluginsDir, dataDir, clock, development, warn: log.warn }),
    entries: config.plugins,
    log: pluginLog,
  });
  const own = containerOf({
    config,
    dataDir,
    log,
    clock,
    tally,
    spool,
    memory,
    scanStore,
    consent,
    plugins,
    profiles: usableProfiles(profiles, config, plugins.registry, log.error),
    registry: plugins.registry,
    ...(settingsToken === undefined ? {} : { settingsToken }),
    ...(scanEnded && { scanEnded }),
    ...replaced,
  });
  const routeParts = own.resolve(tokens.routeParts);
  own.resolve(tokens.devices).start();
  const { scans, registry, features, profiles: live } = routeParts;
  const takeOver = createReload({ plugins, scans, registry, profiles: live, log }, config);
  let inForce: Config & Located = config;
  const reload = async (next: Config & Located): Promise<Reloaded> => {
    const done = await takeOver(next);
    inForce = next;
    licences.again();
    features.changed();
    return done;
  };
  const licences = watchLicences({
    reports: () => plugins.reports,
    log: pluginLog,
    clock,
    ended: () => void reload(inForce).catch((error: unknown) => log.error(messageOf(error))),
  });
  return {
    routeParts,
    reports: () => plugins.reports,
    reload,
    stopScanning() {
      features.end();
      routeParts.settings.session.end();
      routeParts.health.close();
      return routeParts.scans.close(STOPPING);
    },
    async close() {
      licences.end();
      consent.close();
      // The last answers were sent meanwhile; their pages go.
      await routeParts.scans.close(STOPPING);
      await plugins.close();
      await own.resolve(tokens.memory).close();
    },
  };
}

const STOPPING = 'The service is stopping.';

/** A container that can make every part that is not passed. */
export function containerOf(parts: Partial<Parts>): DependencyContainer {
  const own = container.createChildContainer();
  const once = <T>(token: InjectionToken<T>, make: (c: DependencyContainer) => T): void =>
    void own.register(token, { useFactory: instanceCachingFactory(make) });

  once(tokens.version, fourPartVersion);
  once(tokens.platform, () => platform);
  once(tokens.tally, c => createTally(c.resolve(tokens.config).metrics));
  once(tokens.pool, () => createSemaphore(availableParallelism()));
  once(tokens.profiles, c => c.resolve(tokens.config).profiles as Profiles);
  once(tokens.features, c => createFeatures(c.resolve(tokens.plugins)));
  once(tokens.settingsToken, () => undefined);
  once(tokens.settings, c =>
    createSettingsDesk({
      token: c.resolve(tokens.settingsToken),
      configFile: (c.resolve(tokens.config) as Partial<Located>).file ?? '',
      dataDir: c.resolve(tokens.dataDir),
      clock: c.resolve(tokens.clock),
      plugins: c.resolve(tokens.plugins),
    }),
  );
  once(tokens.plugins, c => ({ registry: c.resolve(tokens.registry), reports: [] as readonly PluginReport[] }));
  once(tokens.scanEnded, () => () => undefined);
  once(tokens.desktop, c => createDesktop(c.resolve(tokens.registry), c.resolve(tokens.version)));
  once(tokens.devices, c =>
    createDevices(
      c.resolve(tokens.registry).drivers,
      c.resolve(tokens.clock),
      c.resolve(tokens.log),
      c.resolve(tokens.memory),
    ),
  );
  once(tokens.scans, c => {
    const config = c.resolve(tokens.config);
    const spool = c.resolve(tokens.spool);
    const { keep, keepHours, keepBytes } = config.scans;
    return createScanService({
      devices: c.resolve(tokens.devices),
      registry: c.resolve(tokens.registry),
      clock: c.resolve(tokens.clock),
      pool: c.resolve(tokens.pool),
      log: c.resolve(tokens.log),
      scanEnded: c.resolve(tokens.scanEnded),
      store: c.resolve(tokens.scanStore),
      keepsScans: keep,
      keep: { keepMs: keepHours * 3_600_000, keepBytes },
      spare: spoolStore(spool),
      spool,
      limits: limitsOf(config),
      autoscan: autoscanLimitsOf(config),
      idleMs: config.source.idleMinutes * 60_000,
      tellsOrigins: config.events.origins,
      listsOcrLanguages: c.resolve(tokens.platform) === 'darwin',
      ...(config.metrics.enabled ? { meter: c.resolve(tokens.tally) } : {}),
    });
  });
  once(tokens.health, c => {
    const scans = c.resolve(tokens.scans);
    return createHealth({
      registry: c.resolve(tokens.registry),
      clock: c.resolve(tokens.clock),
      log: c.resolve(tokens.log),
      isQuiet: ({ drivers }) => !drivers.some(scans.usesDriver),
    });
  });
  once(tokens.routeParts, routePartsOf);
  // If a token is registered twice, the later one counts.
  for (const [name, useValue] of Object.entries(parts))
    own.register<unknown>(tokens[name as keyof Parts], { useValue });
  return own;
}

function routePartsOf(c: DependencyContainer): RouteParts {
  const clock = c.resolve(tokens.clock);
  const spool = c.resolve(tokens.spool);
  const dataDir = c.resolve(tokens.dataDir);
  const registry = c.resolve(tokens.registry);
  const pool = c.resolve(tokens.pool);
  const scans = c.resolve(tokens.scans);
  const health = c.resolve(tokens.health);
  const parts = {
    scans,
    kept: scans.kept,
    clients: createClients(clientLimitsOf(c.resolve(tokens.config)), clock),
    desktop: c.resolve(tokens.desktop),
    version: c.resolve(tokens.version),
    pool,
  };
  const { enabled } = c.resolve(tokens.config).metrics;
  return {
    ...parts,
    metrics: enabled
      ? createMetrics({
          ...parts,
          tally: c.resolve(tokens.tally),
          plugins: c.resolve(tokens.plugins),
          health,
          clock,
          spool,
          dataDir,
        })
      : undefined,
    keepsPages: c.resolve(tokens.config).scans.keep,
    consent: c.resolve(tokens.consent),
    registry,
    plugins: c.resolve(tokens.plugins),
    features: c.resolve(tokens.features),
    settings: c.resolve(tokens.settings),
    health,
    clock,
    log: c.resolve(tokens.log),
    forPages: createForPages(dataDir),
    profiles: c.resolve(tokens.profiles),
    thumbnails: createThumbnails(pool, registry),
    async check() {
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
      await spool.check();
      const { atRisk } = scans.kept.totals();
      if (atRisk > 0)
        throw new Error(
          `${atRisk} scanned pages are in memory only, because the disk refused them. Fetch them, or free space and scan again.`,
        );
    },
  };
}

function autoscanLimitsOf({ autoscan, scans }: Config): AutoscanLimits {
  const { idleSeconds, maxFailures, outboxPages, resendBytes, keptHours } = autoscan;
  return {
    idleMs: idleSeconds * 1000,
    maxFailures,
    outboxPages,
    resendBytes,
    keptMs: keptHours * 3_600_000,
    scansMs: scans.keepHours * 3_600_000,
  };
}

function clientLimitsOf({ clients }: Config): ClientLimits {
  const { stallSeconds, ...limits } = clients;
  return { stallMs: stallSeconds * 1000, ...limits };
}

function limitsOf({ scan, memory, scans }: Config): ScanLimits {
  return {
    inactivityMs: scan.inactivitySeconds * 1000,
    graceMs: scan.graceSeconds * 1000,
    deadlineGraceMs: scan.deadlineGraceSeconds * 1000,
    rawBytes: memory.rawBytes,
    // Half of what the pages of ended scans may have.
    backlogBytes: scans.keepBytes / 2,
    maxPixels: memory.maxPixels,
  };
}
