/** A scan service over fake drivers and a clock that stands still. */
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeFormat, recordingLog, type FakeDriver } from '@platen/conformance';
import type { Test } from 'tap';
import type { AutoscanLimits } from './autoscan/session.js';
import type { Driver, Session } from './contract/driver.js';
import type { Format } from './contract/format.js';
import type { Recogniser } from './contract/recogniser.js';
import type { KeepLimits } from './kept/keptScans.js';
import { memoryStore } from './kept/memoryStore.test.kit.js';
import type { ScanStore } from './kept/scanStore.js';
import type { FinishedPage } from './pipeline/finish.js';
import type { Spool } from './pipeline/spool.js';
import type { ScanOptions } from './pipeline/scanOptions.js';
import { createDevices } from './devices/devices.js';
import { createRegistry } from './registry/registry.js';
import { countingClock } from './time/countingClock.test.kit.js';
import { createSemaphore } from './work/semaphore.js';
import { createScanService } from './service.js';
import type { OnDemandRun, ScanRequest } from './scanning/onDemand.js';
import type { KeepPage, ScanLimits } from './scanning/scanRun.js';

export const limits: ScanLimits = {
  inactivityMs: 300_000,
  graceMs: 30_000,
  deadlineGraceMs: 5000,
  rawBytes: 1e9,
  backlogBytes: 1e9,
  maxPixels: 1e9,
};
export const IDLE_MS = 30 * 60_000;

/** Results of `collect` for a successful and a failed scan. */
export const ok = (...pages: string[]) => ({ pages, error: undefined });
export const failed = (code: string, ...pages: string[]) => ({ pages, error: { code } });

/** Listening time of an abandoned driver. */
export const LISTEN_MS = 2000;

export interface ServiceOptions {
  readonly format?: Format;
  readonly limits?: Partial<ScanLimits>;
  readonly autoscan?: Partial<AutoscanLimits>;
  readonly log?: ReturnType<typeof recordingLog>;
  readonly keep?: Partial<KeepLimits>;
  /** Instead of one in memory. */
  readonly store?: ScanStore;
  readonly keepsScans?: boolean;
  readonly spare?: Pick<ScanStore, 'create'>;
  /** What the system clock says. */
  readonly now?: number;
  /** Where pages wait for their text. */
  readonly spool?: Pick<Spool, 'shelf'>;
  readonly recognisers?: readonly Recogniser[];
  readonly scanEnded?: () => void;
}

export function fakeService(drivers: Driver | readonly Driver[], options: ServiceOptions = {}) {
  const clock = countingClock();
  if (options.now !== undefined) clock.set(options.now);
  const logger = options.log ?? recordingLog();
  const log = logger.lines;
  const registry = createRegistry();
  const formats = [options.format ?? fakeFormat({ name: 'Png' }), fakeFormat({ name: 'Jpeg' })];
  registry.add('fakes', { drivers: [drivers].flat(), formats, recognisers: options.recognisers ?? [] });
  const devices = createDevices(registry.drivers, clock, logger);
  const shelves = memoryStore();
  const scans = createScanService({
    devices,
    registry,
    clock,
    pool: createSemaphore(2),
    log: logger,
    limits: { ...limits, ...options.limits },
    idleMs: IDLE_MS,
    autoscan: {
      idleMs: 300_000,
      maxFailures: 3,
      outboxPages: 8,
      resendBytes: 1e6,
      keptMs: 86_400_000,
      ...options.autoscan,
    },
    keep: { keepMs: 86_400_000, keepBytes: 1e9, ...options.keep },
    store: options.store ?? shelves.store,
    keepsScans: options.keepsScans ?? true,
    spare: options.spare ?? memoryStore().store,
    ...(options.spool ? { spool: options.spool } : {}),
    ...(options.scanEnded ? { scanEnded: options.scanEnded } : {}),
  });
  /** @param keep receives each page, in addition to `collect` */
  const scan = (more: Wished = {}, keep: KeepPage = async () => undefined): CollectedRun => {
    const got: FinishedPage[] = [];
    const run = scans.scan(requestOf(more), { keep: (page, stop) => (got.push(page), keep(page, stop)) });
    return { ...run, got };
  };
  return { clock, devices, registry, scans, log, shelves, scan };
}

/** A run, and its pages so far. */
export interface CollectedRun extends OnDemandRun {
  readonly got: readonly FinishedPage[];
}

/** A service over the fake driver, its scanner open or not. @param front wraps the driver */
export async function start(driver: FakeDriver, open: boolean, options: ServiceOptions = {}, front: Driver = driver) {
  const service = fakeService(front, options);
  if (open) await service.scans.open('Fake scanner');
  return service;
}

/** With the scanner opened before, and without. */
export async function both(t: Test, run: (t: Test, open: boolean) => Promise<void>): Promise<void> {
  for (const open of [true, false]) await t.test(open ? 'open before' : 'opened for the call', sub => run(sub, open));
}

export interface Wished extends Partial<ScanOptions> {
  readonly scannerName?: string;
  readonly requestId?: string;
  /** Of the web page; a program if absent. */
  readonly origin?: string;
}

function requestOf({ scannerName = 'Fake scanner', requestId, origin, ...more }: Wished): ScanRequest {
  return {
    ...{ scannerName, options: optionsWith(more) },
    ...(requestId === undefined ? {} : { requestId }),
    ...(origin === undefined ? {} : { origin }),
  };
}

export function optionsWith(more: Partial<ScanOptions> = {}): ScanOptions {
  return {
    duplexMode: 'Simplex',
    pageSize: 'A4',
    autoRotate: false,
    autoDeskew: false,
    autoCrop: false,
    format: 'Png',
    quality: 90,
    ocr: false,
    timeoutSeconds: 0,
    report: false,
    ...more,
  };
}

/** When a run is over: all its pages as `1 front`, `1 back`, and why it failed. */
export async function collect({
  over,
  got,
}: CollectedRun): Promise<{ pages: string[]; error: unknown; numbers: number[] }> {
  const error = await over;
  return { pages: got.map(({ sheet, side }) => `${sheet} ${side}`), numbers: got.map(each => each.pageNumber), error };
}

/** A driver whose sessions are wrapped. */
export function inFront(driver: Driver, wrap: (session: Session) => Partial<Session>): Driver {
  const open: Driver['open'] = async (id, call) => {
    const session = await driver.open(id, call);
    return { ...session, ...wrap(session) };
  };
  return Object.create(driver, { open: { value: open } }) as Driver;
}

/** Runs everything that needs no time to pass. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 100; i++) await breathe();
}
