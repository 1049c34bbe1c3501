/**
 * All scanners as one service, which owns scanning and keeping: one scanner is open at a time and scans for one client or
 * for auto-scan.
 */
import { createAutoscan, type Autoscan, type AutoscanReader, type Disabled } from './autoscan/autoscan.js';
import { checkOptions } from './autoscan/checkOptions.js';
import type { AutoscanLimits } from './autoscan/session.js';
import type { Driver } from './contract/driver.js';
import { codeOf, ScanError } from './contract/errors.js';
import type { Log } from './contract/plugin.js';
import { createKeptScans, type KeepLimits, type KeptScans } from './kept/keptScans.js';
import { createScanCollection } from './kept/scanCollection.js';
import type { ScanStore } from './kept/scanStore.js';
import type { EndReason } from './outbox/outboxEnd.js';
import type { ScanNote } from './pipeline/notes.js';
import type { ScanOptions } from './pipeline/scanOptions.js';
import type { OfferedCapabilities } from './registry/capabilities.js';
import type { Devices, KnownDevice, ListingFailure } from './registry/devices.js';
import { createCapabilityCache, type CapabilityCache } from './scanning/capabilityCache.js';
import type { Meter } from './scanning/meter.js';
import type { OnDemandRun, ScanRequest, ScanSink } from './scanning/onDemand.js';
import { isSame, type OpenDevice } from './scanning/openDevice.js';
import { createOpenScanner, type OpenScanner } from './scanning/openScanner.js';
import { createRunningScans } from './scanning/runningScans.js';
import { endSentence, type ScanEnd } from './scanning/scanEnd.js';
import type { ScanParts } from './scanning/scanRun.js';
import { createStatusMemory, type StatusMemory } from './scanning/statusMemory.js';

export interface ScannerStatus {
  readonly isOnline: boolean;
  readonly isPaperLoaded: boolean;
  readonly isSourceOpen: boolean;
}

export interface ScanService {
  list(): Promise<readonly KnownDevice[]>;
  /**
   * Like `list`, after each driver has finished one discovery, however long it takes, or when there are `enough`
   * scanners.
   */
  look(enough?: (found: readonly KnownDevice[]) => boolean): Promise<readonly KnownDevice[]>;
  /** Ids of drivers whose discovery is so slow that calls do not wait for it. */
  slowDrivers(): readonly string[];
  /** Drivers whose last discovery failed, or could not find all scanners, with what they say. */
  listingFailures(): readonly ListingFailure[];
  status(): Promise<ScannerStatus>;
  /**
   * @param name the open scanner if absent.
   * @throws `device-not-found`, `no-source-open`, `busy` if it must be opened during a scan
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
  /** Succeeds if the scanner is already open; closes another one first. @throws `busy`, `device-not-found` */
  open(name: string): Promise<KnownDevice>;
  /** Disables auto-scan first. @returns whether a scanner was open. @throws `busy` during an on-demand scan */
  closeSource(): Promise<boolean>;
  /** Starts at once; nothing of it is kept. @throws `busy` while a scan runs, `not-connected` */
  scan(request: ScanRequest, sink: ScanSink): OnDemandRun;
  /** Ends the running scan, or only the scan with this id. @returns whether there was one */
  cancel(requestId?: string): boolean;
  /**
   * @param origin of the web page that asks; empty for a program
   * @returns notes for the user
   * @throws `no-source-open`, `invalid-value`, `busy`, `not-connected`
   */
  enableAutoscan(options: ScanOptions, name?: string, origin?: string): Promise<readonly ScanNote[]>;
  disableAutoscan(origin?: string): Promise<Disabled>;
  /** Whether auto-scan is enabled, and by a page of this origin. */
  isAutoscanOf(origin: string): boolean;
  /** The origin may no longer scan: ends auto-scan, unless others enabled it, too, and keeps the undelivered pages. */
  withdrawAutoscan(origin: string): Promise<void>;
  /** @throws `autoscan-off` */
  readAutoscan(lastEventId?: string, origin?: string): AutoscanReader;
  /** Scans whose pages wait for their clients: on demand, and of auto-scans that are over. */
  readonly kept: KeptScans;
  /** On-demand scans that run or look for their scanner, undelivered pages of auto-scans, and whether auto-scan is on. */
  load(): { readonly scans: number; readonly autoscanPages: number; readonly isAutoscanOn: boolean };
  /**
   * Ends a running scan after the sheet in the path, disables auto-scan, closes the scanner and finishes writing. Call it
   * again when the last answers are sent: it waits until their pages are removed.
   */
  close(reason: string): Promise<void>;
}

export interface ScanServiceParts extends Omit<ScanParts, 'openScanner' | 'learn' | 'ended' | 'meter'> {
  readonly devices: Devices;
  readonly log: Log;
  readonly meter?: Meter;
  readonly autoscan: AutoscanLimits;
  readonly keep: KeepLimits;
  /** Where scans are kept: all auto-scans, and scans on demand. */
  readonly store: ScanStore;
  /** False: scans on demand are kept in `spare`, and end with the service. */
  readonly keepsScans: boolean;
  /** For pages of one answer that find no room in the store. */
  readonly spare: Omit<ScanStore, 'found'>;
  /** Milliseconds without use before the open scanner is closed. */
  readonly idleMs: number;
  /** Every scanner's capabilities list the OCR languages (interface, "Platform differences"). */
  readonly listsOcrLanguages?: boolean;
}

export function createScanService(shared: ScanServiceParts): ScanService {
  const { devices, clock, log } = shared;
  const closing = new AbortController();
  let opening: Promise<void> | undefined;
  const statuses = createStatusMemory(clock);
  const openScanner = createOpenScanner(shared);
  const cache = createCapabilityCache({ ...shared, openScanner, isScanning: () => running.isScanning });
  const parts: ScanParts = {
    ...shared,
    openScanner,
    learn: cache.learn,
    ended: telling(shared),
  };
  const running = createRunningScans(parts);
  const collection = createScanCollection({ clock, log, keepBytes: shared.keep.keepBytes });
  const autoscan = createAutoscan({ ...shared, ...parts, collection, lost: statuses.forget });

  /** Includes one that was enabled while the previous one ended. */
  const endAutoscan = async (reason: EndReason, message: string): Promise<void> => {
    while (autoscan.enabled) await autoscan.end({ event: 'disabled', reason, message });
  };

  /** An on-demand scan takes precedence over auto-scan on another scanner, but not on the same one. */
  const preempt = async (known: KnownDevice): Promise<void> => {
    await cache.quiet();
    if (!autoscan.enabled) return;
    if (openScanner.current && isSame(openScanner.current.known, known)) {
      throw new ScanError('busy', `Auto-scan is enabled on ${known.name}. Disable it first.`);
    }
    await endAutoscan('scan-began', `Auto-scan was turned off: a scan on ${known.name} began.`);
  };

  const scan: ScanService['scan'] = (request, sink) => {
    devices.assertConnected();
    return running.start(request, sink, async (signal, claim) => {
      const known = await devices.find(request.scannerName);
      signal.throwIfAborted();
      claim();
      await preempt(known);
      return known;
    });
  };

  const kept = createKeptScans({
    ...{ clock, log, collection, scan, store: shared.store, spare: shared.spare },
    limits: shared.keep,
    keeps: shared.keepsScans,
  });

  const openFor = async (known: KnownDevice): Promise<void> => {
    running.assertFree();
    if (openScanner.current && isSame(openScanner.current.known, known) && openScanner.state !== 'closing') return;
    await cache.quiet();
    await endAutoscan('scanner-opened', `Auto-scan was turned off: ${known.name} was opened.`);
    running.assertFree();
    opening = openScanner.open(known, { signal: closing.signal });
    await opening;
  };

  const unlink = followLinks(shared.registry.drivers, autoscan, openScanner);

  let stopped: Promise<void> | undefined;
  const stop = async (reason: string): Promise<void> => {
    running.refuse();
    closing.abort(new ScanError('busy', 'The service is stopping.'));
    await opening?.catch(() => undefined);
    await running.end(new ScanError('service-ended', reason));
    await endAutoscan('service-stopped', reason);
    await autoscan.close();
    // At once, as the scanner may take its time; the close of the collection says what failed.
    await collection.save().catch(() => undefined);
    await openScanner.close().catch(() => undefined);
    unlink();
    devices.close();
  };

  return {
    ...questions({ devices, openScanner, statuses, cache }),
    ...autoscanCalls(autoscan),
    kept,
    scan,
    cancel: running.cancel,
    openNow: () => autoscan.scannerName ?? openScanner.current?.known.name,

    async open(name) {
      const known = await devices.find(name);
      await openFor(known);
      return known;
    },

    async closeSource() {
      if (running.isScanning) running.assertFree();
      await endAutoscan('scanner-closed', 'Auto-scan was turned off: the scanner was closed.');
      const wasOpen = openScanner.current !== undefined;
      await openScanner.close();
      return wasOpen;
    },

    async enableAutoscan(options, name, origin = '') {
      devices.assertConnected();
      running.assertFree();
      if (name !== undefined) await openFor(await devices.find(name));
      const open = openScanner.current;
      if (!open) throw noSourceOpen(NAME_ONE);
      const checked = checkOptions(open, options, { raw: cache.raw, statuses }, shared);
      await checked.catch(() => undefined);
      // While the scanner was asked, another call may have taken, changed or closed it.
      running.assertFree();
      assertStillOpen(openScanner, open);
      return [...(await checked), ...(await autoscan.enable(open, options, origin))];
    },

    load: () => ({ scans: running.count, autoscanPages: autoscan.waiting, isAutoscanOn: autoscan.enabled }),

    async close(reason) {
      await (stopped ??= stop(reason));
      await kept.close();
    },
  };
}

const CONSENT_ENDED = {
  event: 'disabled',
  reason: 'consent-ended',
  message: 'Auto-scan was turned off: the web page that turned it on may no longer scan.',
} as const;

/** The open scanner may belong to a program that disconnects; the driver reports this to a running scan. */
function followLinks(drivers: readonly Driver[], autoscan: Autoscan, openScanner: OpenScanner): () => void {
  const lost = async (driver: Driver): Promise<void> => {
    await autoscan.end({ event: 'error', reason: 'not-connected', message: 'The desktop application disconnected.' });
    if (openScanner.state === 'open' && openScanner.current?.known.driver === driver) await openScanner.close();
  };
  const ends = drivers.map(driver => driver.link?.onChange(connected => void (connected || lost(driver))));
  return () => ends.forEach(end => end?.());
}

const telling =
  ({ log, meter }: Pick<ScanServiceParts, 'log' | 'meter'>) =>
  (end: ScanEnd): void => {
    log.info(endSentence(end));
    meter?.ended(end);
  };

function assertStillOpen({ current }: OpenScanner, { known }: OpenDevice): void {
  if (!current || !isSame(current.known, known)) throw noSourceOpen(NAME_ONE);
}

/** A caller without an origin is a program. */
const autoscanCalls = (autoscan: Autoscan): Pick<ScanService, AutoscanCalls> => ({
  disableAutoscan: (origin = '') => autoscan.disable(origin),
  isAutoscanOf: origin => autoscan.isOf(origin),
  withdrawAutoscan: origin => autoscan.withdraw(origin, CONSENT_ENDED),
  readAutoscan: (lastEventId, origin = '') => autoscan.read(origin, lastEventId),
});

type AutoscanCalls = 'disableAutoscan' | 'isAutoscanOf' | 'withdrawAutoscan' | 'readAutoscan';

interface Asked {
  readonly devices: Devices;
  readonly openScanner: OpenScanner;
  readonly statuses: StatusMemory;
  readonly cache: CapabilityCache;
}

type Questions =
  | 'list'
  | 'look'
  | 'slowDrivers'
  | 'listingFailures'
  | 'status'
  | 'capabilities'
  | 'sources'
  | 'assertConnected'
  | 'openName';

/** What can be asked of the scanners. */
function questions({ devices, openScanner, statuses, cache }: Asked): Pick<ScanService, Questions> {
  const namedOrOpen = async (name: string | undefined): Promise<KnownDevice> => {
    devices.assertConnected();
    if (name !== undefined) return devices.find(name);
    if (!openScanner.current) throw noSourceOpen();
    return openScanner.current.known;
  };
  return {
    list: () => devices.list(),
    look: enough => devices.look(enough),
    slowDrivers: () => devices.slow(),
    listingFailures: () => devices.failures(),
    assertConnected: () => devices.assertConnected(),
    async status() {
      const open = openScanner.current;
      if (!open) return { isOnline: await anyOnline(devices), isPaperLoaded: false, isSourceOpen: false };
      try {
        const { online, paper } = await statuses.of(open);
        return { isOnline: online, isPaperLoaded: paper === 'loaded', isSourceOpen: true };
      } catch {
        return { isOnline: false, isPaperLoaded: false, isSourceOpen: true };
      }
    },
    capabilities: async name => cache.offered(await namedOrOpen(name)),
    sources: async name => cache.sources(await namedOrOpen(name)),
    openName() {
      if (!openScanner.current) throw noSourceOpen();
      return openScanner.current.known.name;
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
