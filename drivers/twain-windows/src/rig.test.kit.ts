/** Shared by this package's tests: the driver over a simulated source, whose paper and faults are in a file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type DriverFeatures,
  type DriverRig,
  never,
  orderOf as usualOrder,
  scanned as scannedOf,
} from '@platen/conformance';
import { nullLog, type DriverCode, type Log, type ScanCall, type ScanOrder, type Session } from '@platen/core/plugin';
import { createHelper, type Helper } from '@platen/driver-kit';
import { fakeProcesses } from './fake/process.test.kit.js';
import { twainDriver, type DriverParts } from './driver.js';
import type { Bits, Deadlines, TwainOptions } from './settings.js';
import { readState, stateFileOf, writeState } from './fake/stateFile.test.kit.js';

export { never };

type Quirks = Readonly<Record<string, string | number>>;

/** The simulated sources' names for faults of a sheet. */
export const words: Readonly<Partial<Record<DriverCode | 'hang', string>>> = {
  'no-paper': 'nomedia',
  'paper-jam': 'jam',
  'double-feed': 'doublefeed',
  'cover-open': 'coveropen',
  'device-offline': 'offline',
  hang: 'hang',
};

export interface Body extends Required<Omit<DriverRig, 'decode' | 'dispose' | 'second'>> {
  readonly second?: NonNullable<DriverRig['second']>;
  /** The source's state file. */
  readonly file: string;
  /** The lines of the source's log. */
  log(): Promise<readonly string[]>;
  set(changes: Readonly<Record<string, string | number | undefined>>): void;
  readonly said: string[];
  dispose(): Promise<void>;
}

export interface BodyOptions {
  readonly options?: Partial<TwainOptions>;
  readonly deadlines?: Partial<Deadlines>;
  /** Instead of the fake source in this process. */
  helpers?(file: string): DriverParts['createHelper'];
  readonly deviceId?: string;
  readonly folders?: readonly string[];
  /** One more source, with paper of its own. */
  readonly second?: string;
  /** Converts a path of this machine to one of the source's machine. */
  path?(path: string): string;
}

const program = fileURLToPath(new URL('./fake/helper.test.kit.js', import.meta.url));

/** The fake source in separate processes, over frames. */
export function fakeHelpers(file: string): (bits: Bits, log: Log) => Helper {
  return (bits, log) =>
    createHelper({
      name: `twain ${bits}`,
      command: process.execPath,
      args: [program, String(bits), file],
      log,
      startMs: 60_000,
      exitMs: 500,
    });
}

/** @param quirks of the source; its feeder is empty at first */
export async function body(
  quirks: Quirks = {},
  {
    options,
    deadlines,
    helpers = fakeProcesses,
    deviceId = 'Fake Scanner',
    folders = [],
    second,
    path = own => own,
  }: BodyOptions = {},
): Promise<Body> {
  const folder = await mkdtemp(join(tmpdir(), 'twain-'));
  const file = join(folder, 'state');
  const log = join(folder, 'log');
  await writeFile(file, '');
  await writeFile(log, '');
  const set: Body['set'] = changes => writeState(file, changes);
  set({ sheets: 0, log: path(log), ...(second && { sources64: `${deviceId},${second}` }), ...quirks });
  const its = second === undefined ? undefined : await secondSource(file, second, quirks);
  const said: string[] = [];
  const say = (message: string) => void said.push(message);
  const driver = twainDriver({
    options: { bits: [64], ask: 'listing', feeding: 'sheet', mostSheets: 1000, pageSeconds: 60, ...options },
    log: { ...nullLog, info: say, warn: say, error: say },
    createHelper: helpers(file),
    folders,
    ...(deadlines ? { deadlines } : {}),
  });
  return {
    driver,
    deviceId,
    file,
    said,
    set,
    log: async () => (await readFile(log, 'utf8')).split(/\r?\n/).filter(line => line !== ''),
    load: async sheets => insert(file, sheets),
    ...(its && { second: its }),
    remaining: async () => Number(readState(file)['sheets']),
    fault: async (sheet, fault) => set({ faultAfter: sheet - 1, fault: words[fault] ?? fault }),
    unplug: async () => set({ unplugged: 1 }),
    plug: async () => set({ unplugged: undefined }),
    tear: async sheet => set({ faultAfter: sheet - 1, fault: 'torn' }),
    clearFaults: async () => set({ fault: undefined, faultAfter: undefined }),
    async dispose() {
      await driver.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function secondSource(file: string, deviceId: string, quirks: Quirks): Promise<NonNullable<DriverRig['second']>> {
  const own = stateFileOf(file, deviceId);
  await writeFile(own, '');
  writeState(own, { sheets: 0, ...quirks });
  return { deviceId, load: async sheets => insert(own, sheets) };
}

function insert(file: string, sheets: number): void {
  writeState(file, { sheets: Number(readState(file)['sheets']) + sheets });
}

export const faults = Object.keys(words) as DriverFeatures['faults'];

/** Where the sources with the state key `mark` have theirs. */
export const marks: NonNullable<DriverFeatures['marks']> = (['feeder', 'flatbed'] as const).map(source => ({
  source,
  area: { x: 25.4, y: 25.4, width: 25.4, height: 25.4 },
  lightness: 32,
}));

export const orderOf = (order: Partial<ScanOrder> = {}): ScanOrder =>
  usualOrder({ resolution: 100, pageSize: 'A5', ...order });

export function open({ driver, deviceId }: Pick<Body, 'driver' | 'deviceId'>): Promise<Session> {
  return driver.open(deviceId, { signal: never() });
}

export const scanned = (session: Session, order: Partial<ScanOrder> = {}, call?: Partial<ScanCall>) =>
  scannedOf(session, orderOf(order), call);
