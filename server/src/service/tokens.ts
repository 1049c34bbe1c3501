/** The container's tokens, by name. */
import type { Clock, Devices, Health, Log, Registry, ScanService, ScanStore, Semaphore, Spool } from '@platen/core';
import type { InjectionToken } from 'tsyringe';
import type { Config } from '../machine/config/schema.js';
import type { Features, LoadedNow } from './features.js';
import type { Profiles } from './parameters/profiles.js';
import type { Consent } from './consent/consent.js';
import type { Desktop } from './desktop.js';
import type { OpenDeviceMemory } from './deviceMemory.js';
import type { Tally } from './metrics/tally.js';
import type { RouteParts } from './routeParts.js';
import type { SettingsDesk } from './settings/desk.js';

const token = <T>(name: string): InjectionToken<T> => Symbol(name);

export const tokens = {
  config: token<Config>('config'),
  dataDir: token<string>('dataDir'),
  version: token<string>('version'),
  platform: token<NodeJS.Platform>('platform'),
  clock: token<Clock>('clock'),
  tally: token<Tally>('tally'),
  log: token<Log>('log'),
  registry: token<Registry>('registry'),
  plugins: token<LoadedNow>('plugins'),
  profiles: token<Profiles>('profiles'),
  features: token<Features>('features'),
  settings: token<SettingsDesk>('settings'),
  settingsToken: token<string | undefined>('settingsToken'),
  health: token<Health>('health'),
  memory: token<OpenDeviceMemory>('memory'),
  spool: token<Spool>('spool'),
  pool: token<Semaphore>('pool'),
  consent: token<Consent>('consent'),
  devices: token<Devices>('devices'),
  desktop: token<Desktop>('desktop'),
  scanEnded: token<() => void>('scanEnded'),
  scans: token<ScanService>('scans'),
  scanStore: token<ScanStore>('scanStore'),
  routeParts: token<RouteParts>('routeParts'),
};

/** The parts of a service, by the names of their tokens. */
export type Parts = {
  readonly [Name in keyof typeof tokens]: (typeof tokens)[Name] extends InjectionToken<infer Part> ? Part : never;
};
