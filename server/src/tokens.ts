/** What the container knows, by name. */
import type { Clock, Devices, Log, Registry, Scanner, Semaphore, Spool } from '@platen/core';
import type { InjectionToken } from 'tsyringe';
import type { Config } from './config/schema.js';
import type { Desktop } from './desktop.js';
import type { Services } from './services.js';

const token = <T>(name: string): InjectionToken<T> => Symbol(name);

export const tokens = {
  config: token<Config>('config'),
  dataDir: token<string>('dataDir'),
  version: token<string>('version'),
  clock: token<Clock>('clock'),
  log: token<Log>('log'),
  registry: token<Registry>('registry'),
  devices: token<Devices>('devices'),
  pool: token<Semaphore>('pool'),
  spool: token<Spool>('spool'),
  desktop: token<Desktop>('desktop'),
  scanner: token<Scanner>('scanner'),
  services: token<Services>('services'),
};
