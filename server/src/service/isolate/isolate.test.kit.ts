/** Fixtures: fake processes that the test ends, and a supervised driver over them. */
import { Duplex, PassThrough } from 'node:stream';
import { fakeClock, fakeDriver, recordingLog, type FakeClock, type FakeDriver } from '@platen/conformance';
import type { Driver, Log } from '@platen/core';
import { remoteDriver, serveDriver, type RemoteDriver } from '@platen/driver-remote';
import { isolatedDriver } from './isolatedDriver.js';
import { ProcessError, type PluginProcess } from './pluginProcess.js';
import { supervise, type Supervisor } from './supervisor.js';

export interface FakeProcess extends PluginProcess {
  /** The calls that it got, in order: `kill` with the reason, and `leave`. */
  readonly asked: string[];
  readonly driver: FakeDriver;
  /** Ends it, other than by `kill` or `leave`. */
  end(how: string): void;
  /** Breaks its connection first. */
  disconnect(): void;
}

/** How a process starts: well; it ends at once; its plugin is refused; it serves no driver; the start throws. */
export type Start =
  | 'well'
  | { readonly ends: string }
  | { readonly refused: string }
  | 'silent'
  | { readonly throws: string };

export interface Rig {
  readonly clock: FakeClock;
  readonly supervisor: Supervisor;
  readonly remote: RemoteDriver;
  readonly driver: Driver;
  readonly lines: string[];
  readonly processes: FakeProcess[];
  readonly last: FakeProcess;
  /** How the next processes start; the last entry applies to all that follow. */
  starts(...how: Start[]): void;
}

export function rigOf(makeDriver: () => FakeDriver = () => fakeDriver({ sheets: 3 })): Rig {
  const clock = fakeClock();
  const log = recordingLog('info');
  const { lines } = log;
  const processes: FakeProcess[] = [];
  let next: Start[] = ['well'];
  const remote = remoteDriver(undefined, { id: '@acme/x', log, closeMs: 100 });
  const start = (): PluginProcess => {
    const how = next.length > 1 ? next.shift()! : next[0]!;
    if (typeof how === 'object' && 'throws' in how) throw new ProcessError(how.throws);
    const process = fakeProcess(how, makeDriver(), log);
    processes.push(process);
    return process;
  };
  const supervisor = supervise({ use: '@acme/x', start, remote, clock, log });
  return {
    clock,
    supervisor,
    remote,
    driver: isolatedDriver({ id: 'fake', remote, supervisor }),
    lines,
    processes,
    get last() {
      return processes.at(-1)!;
    },
    starts: (...how) => void (next = how),
  };
}

function fakeProcess(start: Exclude<Start, { throws: string }>, driver: FakeDriver, log: Log): FakeProcess {
  const [here, there] = [new PassThrough(), new PassThrough()];
  const near = Duplex.from({ readable: here, writable: there });
  const far = Duplex.from({ readable: there, writable: here });
  for (const each of [near, far, here, there]) each.on('error', () => undefined);
  const asked: string[] = [];
  let ended = (_how: string): void => undefined;
  const gone = new Promise<string>(resolve => (ended = resolve));
  const disconnect = (): void => void [here, there, far].forEach(each => each.destroy());
  const end = (how: string): void => {
    ended(how);
    disconnect();
  };
  const report = { use: '@acme/x', provides: [{ kind: 'driver', id: 'fake' }] as const };
  if (start === 'well') void serveDriver(driver, far, { log });
  if (start === 'silent') far.end();
  if (typeof start === 'object' && 'ends' in start) end(start.ends);
  const loaded =
    typeof start === 'string'
      ? Promise.resolve({ report: { ...report, state: 'loaded' as const }, driver: 'fake', facets: [] })
      : 'refused' in start
        ? Promise.resolve({
            report: { ...report, state: 'refused' as const, sentence: start.refused, provides: [] },
            driver: '',
            facets: [],
          })
        : gone.then(how => Promise.reject(new ProcessError(how)));
  loaded.catch(() => undefined);
  return {
    pid: 1,
    loaded,
    stream: near,
    call: async () => undefined,
    gone,
    kill(why) {
      asked.push(`kill ${why}`);
      end(why);
    },
    leave() {
      asked.push('leave');
      end('was let go');
    },
    asked,
    driver,
    end,
    disconnect,
  };
}

/** Turns of the event loop: enough for all messages in memory to arrive. */
export async function settle(turns = 50): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve));
}
