/** Isolation for the loader: each entry of the configuration with `isolate` gets its own process. */
import { systemClock, type Clock, type Contributions, type Isolate, type Log, type PluginHealth } from '@platen/core';
import { remoteDriver } from '@platen/driver-remote';
import { isolatedDriver } from './isolatedDriver.js';
import { startProcess } from './pluginProcess.js';
import { supervise, type Supervisor } from './supervisor.js';

export interface IsolateOptions {
  readonly clock?: Clock;
}

/** Each plugin gets a process, which is kept running until its driver is closed. */
export function createIsolate({ clock = systemClock }: IsolateOptions = {}): Isolate {
  return async (entry, { folders, dataDir, log }) => {
    const remote = remoteDriver(undefined, { id: entry.use, log });
    // A process that keeps ending would log the same lines each time.
    const unlessQuiet =
      (level: keyof Log) =>
      (message: string): void =>
        log[supervisor.quiet ? 'debug' : level](message);
    const own: Log = {
      debug: unlessQuiet('debug'),
      info: unlessQuiet('info'),
      warn: unlessQuiet('warn'),
      error: unlessQuiet('error'),
    };
    const start = () => startProcess({ setUp: { entry, folders, dataDir }, log: own, clock });
    const supervisor = supervise({ use: entry.use, start, remote, clock, log });
    const { report, driver: id, facets } = await supervisor.begin();
    if (report.state !== 'loaded') return { report };
    const drivers = [isolatedDriver({ id, remote, supervisor })];
    const { health, follow } = facetsOf(supervisor);
    return {
      report,
      contributions: {
        drivers,
        ...(facets.includes('health') && { health }),
        ...(facets.includes('follow') && { follow }),
      },
    };
  };
}

/** In its process. */
const facetsOf = ({ call }: Pick<Supervisor, 'call'>): Required<Pick<Contributions, 'health' | 'follow'>> => ({
  // Whoever asks checks what a plugin says.
  health: ({ signal }) => call('health', undefined, signal) as Promise<PluginHealth>,
  follow: async event => void (await call('follow', event)),
});
