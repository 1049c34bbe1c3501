/** The process of an isolated plugin: loads it as the service would, serves its drivers, and ends with the service. */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import {
  killGroup,
  loadPlugins,
  messageOf,
  settledWithin,
  type Driver,
  type Loaded,
  type Log,
  type PluginReport,
  type Registry,
  type ScanEvent,
  systemClock,
} from '@platen/core';
import { mergeDrivers, serveDriver } from '@platen/driver-remote';
import { vetCode } from '../../machine/rights/codeAccess.js';
import { createEntitle, licenceFolders } from '../licences/licence.js';
import { machineId } from '../licences/machineId.js';
import { DRIVERS_FD, type ChildMessage, type Facet, type Level, type Question, type SetUp } from './messages.js';

/** How long the plugin may take to close. */
const CLOSE_MS = 3000;

/** @throws for what cannot be sent */
const send = (message: ChildMessage): Promise<void> =>
  new Promise(resolve => {
    if (process.connected) process.send!(message, () => resolve());
    else resolve();
  });
const line =
  (log: Level) =>
  (message: string): void =>
    void send({ log, message });
const log: Log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };

let loaded: Loaded | undefined;

/** Ends the process and every process that the plugin left running. */
async function end(): Promise<never> {
  if (loaded) await settledWithin(loaded.registry.close(), CLOSE_MS);
  killGroup(process.pid);
  process.exit();
}

async function crash(error: unknown): Promise<never> {
  await settledWithin(send({ fatal: `failed: ${messageOf(error).split('\n')[0]}` }), 1000);
  if (!process.connected) killGroup(process.pid);
  process.exit(1);
}

async function load({
  entry,
  folders,
  dataDir,
}: SetUp): Promise<{ readonly report: PluginReport; readonly driver?: Driver }> {
  const own = { ...entry, isolate: false, required: false };
  loaded = await loadPlugins({
    entries: [own],
    folders,
    dataDir,
    log: () => log,
    entitle: createEntitle(dataDir, systemClock, machineId, licenceFolders(folders[0] ?? dataDir, dataDir)),
    vet: vetCode({ warn: log.warn }),
  });
  const {
    registry,
    reports: [report],
  } = loaded;
  if (report?.state !== 'loaded') return { report: report! };
  const sentence = isolationFault(report, registry);
  const { drivers } = registry;
  if (sentence === undefined)
    return {
      report,
      driver: drivers.length === 1 ? drivers[0]! : mergeDrivers(drivers.map(({ id }) => id).join('+'), drivers, log),
    };
  log.error(sentence);
  return { report: { use: report.use, state: 'refused', fault: 'isolation', sentence, provides: [] } };
}

/** @returns why a loaded plugin cannot run in its own process, and the fix, as a sentence; undefined if it can */
function isolationFault(
  { use, provides }: Pick<PluginReport, 'use' | 'provides'>,
  { drivers }: Pick<Registry, 'drivers'>,
): string | undefined {
  const others = provides.filter(({ kind }) => kind !== 'driver').map(({ kind, id }) => `${kind} ${id}`);
  const linked = drivers.find(driver => driver.link);
  const why =
    others.length > 0
      ? `only drivers can, and it provides ${others.join(', ')}`
      : drivers.length === 0
        ? 'only drivers can, and it provides none'
        : linked
          ? `its driver ${linked.id} already reaches scanners of another process`
          : undefined;
  return (
    why &&
    `The plugin "${use}" cannot run in its own process (${why}). Remove "isolate" from its entry in the configuration.`
  );
}

type Calls = Readonly<Partial<Record<Facet, (argument: unknown, signal: AbortSignal) => unknown>>>;

/** The one plugin's. */
function facetsOf(registry: Registry | undefined): Calls {
  const source = registry?.healthSources[0];
  const follower = registry?.followers[0];
  return {
    ...(source && { health: (_, signal) => source.health({ signal }) }),
    ...(follower && { follow: event => follower.follow(event as ScanEvent) }),
  };
}

/** Calls of the plugin that run, by the numbers of their questions. */
const calls = new Map<number, AbortController>();

async function answer(question: Question): Promise<void> {
  if ('giveUp' in question) return calls.get(question.giveUp)?.abort(new Error('nobody waits for it any more'));
  const { call, number, argument } = question;
  const waiting = new AbortController();
  calls.set(number, waiting);
  try {
    await send({ answer: number, result: await facets[call]?.(argument, waiting.signal) });
  } catch (error) {
    await send({ answer: number, fault: messageOf(error) });
  } finally {
    calls.delete(number);
  }
}

// A signal that ends the service may reach this process too. It ignores it, and ends when the service disconnects.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
for (const failure of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(failure, error => void crash(error));
new Worker(new URL('./parentWatchdog.js', import.meta.url)).unref();
process.once('disconnect', () => void end());

const [setUp] = (await once(process, 'message')) as [SetUp];
const { report, driver } = await load(setUp);
const facets = facetsOf(loaded?.registry);
process.on('message', message => void answer(message as Question));
await send({ report, driver: driver?.id ?? '', facets: Object.keys(facets) as Facet[] });
if (driver) await serveDriver(driver, new Socket({ fd: DRIVERS_FD }), { log });
await end();
