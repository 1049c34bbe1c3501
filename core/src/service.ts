/**
 * All scanners as one service, which owns scanning and keeping: scanners work side by side, each for one client or for
 * auto-scan.
 */
import { createAutoscan, type Autoscan, type AutoscanReader, type Disabled, type Which } from './autoscan/autoscan.js';
import type { Keeping } from './autoscan/boxes.js';
import { checkOptions } from './autoscan/checkOptions.js';
import type { AutoscanLimits } from './autoscan/session.js';
import type { Driver } from './contract/driver.js';
import { codeOf, ScanError } from './contract/errors.js';
import type { Log } from './contract/plugin.js';
import type { KeptScan } from './kept/keptScan.js';
import { createKeptScans, type KeepLimits, type KeptScans, type OwnedKeptScans } from './kept/keptScans.js';
import { createScanCollection } from './kept/scanCollection.js';
import { isAutoscan, isOnDemand, type ScanStore } from './kept/scanStore.js';
import type { ScanNote } from './pipeline/notes.js';
import type { ScanOptions } from './pipeline/scanOptions.js';
import type { OfferedCapabilities } from './registry/capabilities.js';
import type { Devices, KnownDevice, ListingFailure } from './devices/devices.js';
import { createCapabilityCache, type CapabilityCache } from './scanning/capabilityCache.js';
import type { Meter } from './scanning/meter.js';
import type { OnDemandRun, ScanRequest, ScanSink } from './scanning/onDemand.js';
import { createChosenScanner, type ChosenScanner } from './scanning/chosenScanner.js';
import { createFollowers } from './scanning/followers.js';
import { createDriverChanges, type AutoscanEnds, type DriverChanges } from './scanning/driverChange.js';
import { createLanes, type Lane } from './scanning/lanes.js';
import { isSame } from './scanning/openDevice.js';
import { createRunningScans, type RunningScans } from './scanning/runningScans.js';
import { endSentence, type ScanEnd } from './scanning/scanEnd.js';
import type { ScanParts } from './scanning/scanRun.js';
import { createByteBudget } from './work/byteBudget.js';
import { createStatusMemory, type StatusMemory } from './scanning/statusMemory.js';

export interface ScannerStatus {
  readonly isOnline: boolean;
  readonly isPaperLoaded: boolean;
  readonly isSourceOpen: boolean;
}

export interface ScanService {
  list(): Promise<readonly KnownDevice[]>;
  /** The known ones, without looking for any. @throws `not-connected` */
  listed(): readonly KnownDevice[];
  /**
   * Like `list`, after each driver has finished one discovery, however long it takes, or when there are `enough`
   * scanners.
   */
  look(enough?: (found: readonly KnownDevice[]) => boolean): Promise<readonly KnownDevice[]>;
  /** Ids of drivers whose discovery is so slow that calls do not wait for it. */
  slowDrivers(): readonly string[];
  /** Drivers whose last discovery failed, or could not find all scanners, with what they say. */
  listingFailures(): readonly ListingFailure[];
  /** Whether a scan or auto-scan uses the scanner, and whether it is this origin's. */
  useOf(known: KnownDevice, origin: string): 'own' | 'other' | undefined;
  /** Whether a scan or auto-scan uses a scanner of this driver. */
  usesDriver(driver: Driver): boolean;
  status(): Promise<ScannerStatus>;
  /**
   * @param name the open scanner if absent.
   * @throws `device-not-found`, `no-source-open`, `busy` if it must be asked while it is in use
   */
  capabilities(name?: string): Promise<OfferedCapabilities>;
  /** What a request can control on each source of the same scanner. */
  sources(name?: string): ReturnType<CapabilityCache['sources']>;
  /** @throws `not-connected` while the program that owns the scanners is disconnected */
  assertConnected(): void;
  /** The name of the open scanner, or of auto-scan's while that one is opened again; undefined if none is open. */
  openNow(): string | undefined;
  /** The name of the open scanner. @throws `no-source-open` */
  openName(): string;
  /**
   * Succeeds if the scanner is already open; closes the one that was opened before.
   * @throws `device-not-found`, `busy` if that one, or this one, is in use
   */
  open(name: string): Promise<KnownDevice>;
  /**
   * Disables auto-scan on it first, if this origin enabled it, or for a program.
   * @returns whether a scanner was open. @throws `busy` while it is in use
   */
  closeSource(origin?: string): Promise<boolean>;
  /**
   * Starts at once; nothing of it is kept. While its scanner is in use it fails with `busy`, unless its sink waits in line.
   * @throws `not-connected`
   */
  scan(request: ScanRequest, sink: ScanSink): OnDemandRun;
  /**
   * Ends the scans of this origin, or all for a program.
   * @param requestId ends only the scan with this id
   * @returns whether there was one
   */
  cancel(origin?: string, requestId?: string): boolean;
  /**
   * @param origin of the web page that asks; empty for a program
   * @param keeping present: its pages stay when a reader has them, until its owner releases it: see `keptAutoscanOf`
   * @returns notes for the user
   * @throws `no-source-open`, `invalid-value`, `busy`, `not-connected`; with `keeping`, `storage-full`, too
   */
  enableAutoscan(options: ScanOptions, name?: string, origin?: string, keeping?: Keeping): Promise<readonly ScanNote[]>;
  /** The scan of an auto-scan that is on, keeps its pages, and was enabled by this origin on this scanner. */
  keptAutoscanOf(origin: string, scannerName: string): KeptScan | undefined;
  /** Where this origin enabled it; if that is nowhere, or for a program, everywhere. */
  disableAutoscan(origin?: string, scannerName?: string): Promise<Disabled>;
  /** Whether auto-scan is enabled, on any scanner or on this one, and by a page of this origin. */
  isAutoscanOf(origin: string, scannerName?: string): boolean;
  /** The origin may no longer scan: ends auto-scan, unless others enabled it, too, and keeps the undelivered pages. */
  withdrawAutoscan(origin: string, scannerName?: string): Promise<void>;
  /** @throws `autoscan-off` */
  readAutoscan(origin?: string, which?: Which): AutoscanReader;
  /** Scans whose pages wait for their clients: on demand, and of auto-scans that are over. */
  readonly kept: KeptScans;
  /**
   * Reads the scans of earlier runs of the service, once, when it is first called. Until it resolves, call nothing that
   * starts, continues, finds or lists scans, or that concerns auto-scan. Never rejects.
   */
  ready(): Promise<void>;
  /**
   * Changes drivers between the scans of their scanners: scans that run with a leaving one end first, those that are asked
   * for meanwhile wait; auto-scan on them is turned off, and they are closed. One change at a time.
   * @param change closes the leaving ones, and returns all drivers that there are then. May not reject
   */
  changeDrivers(leaving: readonly Driver[], change: () => Promise<readonly Driver[]>): Promise<void>;
  /** On-demand scans that run or look for their scanner, undelivered pages of auto-scans, and whether auto-scan is on. */
  load(): { readonly scans: number; readonly autoscanPages: number; readonly isAutoscanOn: boolean };
  /**
   * Ends a running scan after the sheet in the path, disables auto-scan, closes the scanner and finishes writing. Call it
   * again when the last answers are sent: it waits until their pages are removed.
   */
  close(reason: string): Promise<void>;
}

export interface ScanServiceParts extends Omit<
  ScanParts,
  'followers' | 'lanes' | 'budgets' | 'learn' | 'ended' | 'meter'
> {
  readonly devices: Devices;
  readonly log: Log;
  readonly meter?: Meter;
  /** Called when a scan, of a client or of auto-scan, is over. May not throw. */
  readonly scanEnded?: () => void;
  /** Plugins that follow scans are told which web pages asked. Absent: they are not. */
  readonly tellsOrigins?: boolean;
  readonly autoscan: AutoscanLimits;
  readonly keep: KeepLimits;
  /** Where scans are kept: all auto-scans, and scans on demand. */
  readonly store: ScanStore;
  /** False: scans on demand are kept in `spare`, and end with the service. */
  readonly keepsScans: boolean;
  /** For pages of one answer that find no room in the store. */
  readonly spare: Pick<ScanStore, 'create'>;
  /** Milliseconds without use before the open scanner is closed. */
  readonly idleMs: number;
  /** Every scanner's capabilities list the OCR languages (interface, "Platform differences"). */
  readonly listsOcrLanguages?: boolean;
}

export function createScanService(shared: ScanServiceParts): ScanService {
  const { devices, clock, log } = shared;
  const closing = new AbortController();
  const statuses = createStatusMemory(clock);
  const lanes = createLanes(shared);
  const cache = createCapabilityCache({ ...shared, lanes });
  const { rawBytes, backlogBytes } = shared.limits;
  const budgets = { raw: createByteBudget(rawBytes), backlog: createByteBudget(backlogBytes) };
  const followers = createFollowers({ clock, log, origins: shared.tellsOrigins ?? false });
  const parts: ScanParts = { ...shared, followers, lanes, budgets, learn: cache.learn, ended: telling(shared) };
  const chosen = createChosenScanner({ lanes, cache, signal: closing.signal });
  const running = createRunningScans(parts);
  const collection = createScanCollection({ clock, log, keepBytes: shared.keep.keepBytes });
  const autoscan = createAutoscan({ ...shared, ...parts, collection, lost: statuses.forget });
  const changes = createDriverChanges({ ...shared, lanes, cache, chosen, autoscan: endsOf(autoscan) });

  const scan: ScanService['scan'] = (request, sink) => {
    devices.assertConnected();
    let endUse = (): void => undefined;
    const run = running.start(request, sink, async (signal, take) => {
      const { known, end } = await changes.take(request.scannerName, signal);
      endUse = end;
      signal.throwIfAborted();
      const lane = lanes.of(known);
      await take(lane);
      await cache.quiet(lane);
      return known;
    });
    return { ...run, over: run.over.finally(() => endUse()) };
  };

  const kept = createKeptScans({
    ...{ clock, log, collection, scan, store: shared.store, spare: shared.spare },
    limits: shared.keep,
    keeps: shared.keepsScans,
  });

  const enableIn = enabling({ ...shared, cache, statuses, running, autoscan, makeReady: kept.makeReady });
  let reading: Promise<void> | undefined;

  let stopped: Promise<void> | undefined;
  const stop = async (reason: string): Promise<void> => {
    running.refuse();
    closing.abort(new ScanError('busy', 'The service is stopping.'));
    await chosen.settled();
    await reading;
    await running.end(new ScanError('service-ended', reason));
    // Includes one that was enabled while the previous one ended.
    while (autoscan.enabled) await autoscan.end({ event: 'disabled', reason: 'service-stopped', message: reason });
    await autoscan.close();
    // At once, as the scanner may take its time; the close of the collection says what failed.
    await collection.save().catch(() => undefined);
    await Promise.allSettled(lanes.used.map(({ scanner }) => scanner.close()));
    changes.close();
    devices.close();
  };

  return {
    ...questions({ devices, chosen, statuses, cache, changes }),
    ...autoscanCalls(autoscan, devices),
    kept,
    ready: () => (reading ??= adoptFound(shared, autoscan, kept)),
    scan,
    cancel: (origin = '', requestId) => running.cancel(origin, requestId),
    useOf(known, origin) {
      const user = lanes.userOf(known);
      return user && (user.isOf(origin) ? 'own' : 'other');
    },
    usesDriver: driver => lanes.usesDriver(driver),
    openNow: () => (chosen.lane && autoscan.scannerIn(chosen.lane)) ?? chosen.current?.known.name,

    async open(name) {
      return changes.during(name, async known => {
        running.assertAccepts();
        await chosen.open(known);
        return known;
      });
    },

    async closeSource(origin = '') {
      // Includes one that was enabled while the previous one ended.
      const { lane, current: open } = chosen;
      for (;;) {
        const name = lane && autoscan.scannerIn(lane);
        const isOwn = name !== undefined && (origin === '' || autoscan.isOf(origin, name));
        if (!isOwn) return (await chosen.close(lane)) || open !== undefined;
        await autoscan.end(SCANNER_CLOSED, known => known.name === name);
      }
    },

    async enableAutoscan(options, name, origin = '', keeping) {
      devices.assertConnected();
      running.assertAccepts();
      const taken = name === undefined ? undefined : await changes.take(name);
      const known = taken?.known;
      const lane = known ? lanes.of(known) : chosen.lane;
      // It stays open although another one is chosen meanwhile.
      const endUse = lane?.scanner.use();
      try {
        if (known) await chosen.open(known, true);
        return await enableIn(lane, options, origin, keeping);
      } finally {
        taken?.end();
        await endUse?.();
      }
    },

    changeDrivers: changes.change,

    load: () => ({ scans: running.count, autoscanPages: autoscan.waiting, isAutoscanOn: autoscan.enabled }),

    async close(reason) {
      await (stopped ??= stop(reason));
      await kept.close();
    },
  };
}

interface EnablingParts extends Pick<ScanServiceParts, 'registry' | 'limits'> {
  readonly cache: CapabilityCache;
  readonly statuses: StatusMemory;
  readonly running: RunningScans;
  readonly autoscan: Autoscan;
  /** For one that keeps its pages. */
  readonly makeReady: OwnedKeptScans['makeReady'];
}

/** Auto-scan on the open scanner of a lane. */
function enabling(
  parts: EnablingParts,
): (lane: Lane | undefined, options: ScanOptions, origin: string, keeping?: Keeping) => Promise<ScanNote[]> {
  const { cache, statuses, running, autoscan, makeReady } = parts;
  return async (lane, options, origin, keeping) => {
    const open = lane?.scanner.current;
    if (!lane || !open) throw noSourceOpen(NAME_ONE);
    const assertNoScan = (): void => void (lane.user?.kind === 'scan' && lane.assertFree());
    assertNoScan();
    const checked = checkOptions(open, options, { raw: cache.raw, statuses }, parts);
    await checked.catch(() => undefined);
    if (keeping) await makeReady();
    // While the scanner was asked, another call may have taken, changed or closed it.
    assertNoScan();
    running.assertAccepts();
    if (!lane.scanner.current || !isSame(lane.scanner.current.known, open.known)) throw noSourceOpen(NAME_ONE);
    return [...(await checked), ...(await autoscan.enable(open, options, origin, keeping))];
  };
}

const endsOf = (autoscan: Autoscan): AutoscanEnds => ({
  changed: isMeant => autoscan.end(DRIVER_CHANGED, isMeant),
  lost: isMeant => autoscan.end(DISCONNECTED, isMeant),
});

const DRIVER_CHANGED = {
  event: 'disabled',
  reason: 'scanner-closed',
  message: 'Auto-scan was turned off: the software of the scanner was changed. Turn it on again.',
} as const;

const DISCONNECTED = {
  event: 'error',
  reason: 'not-connected',
  message: 'The desktop application disconnected.',
} as const;

const SCANNER_CLOSED = {
  event: 'disabled',
  reason: 'scanner-closed',
  message: 'Auto-scan was turned off: the scanner was closed.',
} as const;

const CONSENT_ENDED = {
  event: 'disabled',
  reason: 'consent-ended',
  message: 'Auto-scan was turned off: the web page that turned it on may no longer scan.',
} as const;

async function adoptFound(
  { store, keepsScans }: Pick<ScanServiceParts, 'store' | 'keepsScans'>,
  autoscan: Autoscan,
  kept: OwnedKeptScans,
): Promise<void> {
  const found = await store.read();
  autoscan.adopt(found.filter(isAutoscan));
  if (keepsScans) kept.adopt(found.filter(isOnDemand));
}

const telling =
  ({ log, meter, scanEnded }: Pick<ScanServiceParts, 'log' | 'meter' | 'scanEnded'>) =>
  (end: ScanEnd): void => {
    log.info(endSentence(end));
    meter?.ended(end);
    scanEnded?.();
  };

/** A caller without an origin is a program. A scanner may be named by any of its names. */
function autoscanCalls(autoscan: Autoscan, { nameOf }: Devices): Pick<ScanService, AutoscanCalls> {
  const named = (name: string | undefined): string | undefined => name && nameOf(name);
  return {
    disableAutoscan: (origin = '', name) => autoscan.disable(origin, named(name)),
    isAutoscanOf: (origin, name) => autoscan.isOf(origin, named(name)),
    keptAutoscanOf: (origin, name) => autoscan.keptOf(origin, nameOf(name)),
    withdrawAutoscan: (origin, name) => autoscan.withdraw(origin, CONSENT_ENDED, named(name)),
    readAutoscan: (origin = '', which) => autoscan.read(origin, { ...which, scannerName: named(which?.scannerName) }),
  };
}

type AutoscanCalls = 'disableAutoscan' | 'isAutoscanOf' | 'keptAutoscanOf' | 'withdrawAutoscan' | 'readAutoscan';

interface Asked {
  readonly devices: Devices;
  readonly chosen: ChosenScanner;
  readonly statuses: StatusMemory;
  readonly cache: CapabilityCache;
  readonly changes: Pick<DriverChanges, 'during'>;
}

type Questions =
  | 'list'
  | 'listed'
  | 'look'
  | 'slowDrivers'
  | 'listingFailures'
  | 'status'
  | 'capabilities'
  | 'sources'
  | 'assertConnected'
  | 'openName';

/** What can be asked of the scanners. */
function questions({ devices, chosen, statuses, cache, changes }: Asked): Pick<ScanService, Questions> {
  const ofNamedOrOpen = async <Answer>(name: string | undefined, ask: (known: KnownDevice) => Promise<Answer>) => {
    devices.assertConnected();
    if (name !== undefined) return changes.during(name, ask);
    if (!chosen.current) throw noSourceOpen();
    return ask(chosen.current.known);
  };
  return {
    list: () => devices.list(),
    listed: () => devices.listed(),
    look: enough => devices.look(enough),
    slowDrivers: () => devices.slow(),
    listingFailures: () => devices.failures(),
    assertConnected: () => devices.assertConnected(),
    async status() {
      const open = chosen.current;
      if (!open) return { isOnline: await anyOnline(devices), isPaperLoaded: false, isSourceOpen: false };
      try {
        const { online, paper } = await statuses.of(open);
        return { isOnline: online, isPaperLoaded: paper === 'loaded', isSourceOpen: true };
      } catch {
        return { isOnline: false, isPaperLoaded: false, isSourceOpen: true };
      }
    },
    capabilities: name => ofNamedOrOpen(name, cache.offered),
    sources: name => ofNamedOrOpen(name, cache.sources),
    openName() {
      if (!chosen.current) throw noSourceOpen();
      return chosen.current.known.name;
    },
  };
}

/** From memory; waits for the first discovery only while no scanner is known. */
async function anyOnline(devices: Devices): Promise<boolean> {
  const isOnline = ({ device, remembered }: KnownDevice): boolean => device.online && !remembered;
  try {
    devices.assertConnected();
    return devices.known().some(isOnline) || (!devices.looked() && (await devices.list()).some(isOnline));
  } catch (error) {
    if (codeOf(error) === 'not-connected') return false;
    throw error;
  }
}

const NAME_ONE = 'No scanner is open. Open one first, or name it in scannerName.';

function noSourceOpen(message = 'No scanner is open. Open one first.'): ScanError {
  return new ScanError('no-source-open', message);
}
