/** For tests: processes that are none, which a test ends as it likes, and a supervised driver over them. */
import { Duplex, PassThrough } from 'node:stream';
import { fakeClock, type FakeClock, fakeDriver, type FakeDriver } from '@platen/conformance';
import type { Driver, Log } from '@platen/core';
import { remoteDriver, serveDriver, type RemoteDriver } from '@platen/driver-remote';
import { isolatedDriver } from './isolatedDriver.js';
import type { PluginProcess } from './pluginProcess.js';
import { supervise, type Supervisor } from './supervisor.js';

export interface FakeProcess extends PluginProcess {
  /** What became of it, in order: `kill` and `leave`. */
  readonly asked: string[];
  readonly driver: FakeDriver;
  /** It ends by itself, or by somebody else. */
  end(how: string): void;
  /** Its link goes first. */
  unlink(): void;
}

/** How one starts: whole; never; with a report of a plugin that is left out; with nobody at its link. */
export type Start = 'well' | { readonly ends: string } | { readonly refused: string } | 'silent' | { readonly throws: string };

export interface Rig {
  readonly clock: FakeClock;
  readonly supervisor: Supervisor;
  readonly remote: RemoteDriver;
  readonly driver: Driver;
  readonly lines: string[];
  readonly processes: FakeProcess[];
  readonly last: FakeProcess;
  /** How the next ones start; the last one counts on. */
  starts(...how: Start[]): void;
}

export function logOf(lines: string[]): Log {
  const say = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return { debug: () => undefined, info: say('info'), warn: say('warn'), error: say('error') };
}

export function rigOf(makeDriver: () => FakeDriver = () => fakeDriver({ sheets: 3 })): Rig {
  const clock = fakeClock();
  const lines: string[] = [];
  const log = logOf(lines);
  const processes: FakeProcess[] = [];
  let next: Start[] = ['well'];
  const remote = remoteDriver(undefined, { id: '@acme/x', log, closeMs: 100 });
  const start = (): PluginProcess => {
    const how = next.length > 1 ? next.shift()! : next[0]!;
    if (typeof how === 'object' && 'throws' in how) throw new Error(how.throws);
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
  const unlink = (): void => void [here, there, far].forEach(each => each.destroy());
  const end = (how: string): void => {
    ended(how);
    unlink();
  };
  const report = { use: '@acme/x', provides: ['driver fake'] };
  if (start === 'well') void serveDriver(driver, far, { log });
  if (start === 'silent') far.end();
  if (typeof start === 'object' && 'ends' in start) end(start.ends);
  const loaded =
    typeof start === 'string' ? Promise.resolve({ report: { ...report, state: 'loaded' as const }, driver: 'fake' })
    : 'refused' in start ? Promise.resolve({ report: { ...report, state: 'refused' as const, sentence: start.refused, provides: [] }, driver: '' })
    : gone.then(how => Promise.reject(new Error(`it ${how}`)));
  loaded.catch(() => undefined);
  return {
    pid: 1,
    loaded,
    stream: near,
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
    unlink,
  };
}

/** Turns of the event loop, through which messages in memory have long arrived. */
export async function settle(turns = 50): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve));
}
