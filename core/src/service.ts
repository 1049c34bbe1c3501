/** All scanners as one service: one is open at a time and scans for one client or for auto-scan. */
import { createAutoscan, type AutoscanParts, type AutoscanReader, type Disabled } from './autoscan/autoscan.js';
import type { EndReason } from './autoscan/outboxEnd.js';
import { TRIAL_MS } from './autoscan/paperWatch.js';
import type { Driver } from './contract/driver.js';
import { codeOf, InvalidValue, ScanError } from './contract/errors.js';
import type { OtherScans } from './kept/keptScan.js';
import { createNoteList, noteOnField, type ScanNote } from './pipeline/notes.js';
import { planScan } from './pipeline/plan.js';
import type { ScanOptions } from './pipeline/scanOptions.js';
import { withReaders } from './registry/asked.js';
import type { OfferedCapabilities } from './registry/capabilities.js';
import type { Devices, KnownDevice, ListingFailure } from './registry/devices.js';
import { createCapabilityCache, type CapabilityCache } from './scanning/capabilityCache.js';
import { createOpenScanner } from './scanning/openScanner.js';
import { isSame, type OpenDevice } from './scanning/openDevice.js';
import { startOnDemand, type OnDemandRun, type ScanRequest, type ScanSink } from './scanning/onDemand.js';
import { endSentence, type ScanEnd } from './scanning/scanEnd.js';
import type { Meter } from './scanning/meter.js';
import type { ScanParts } from './scanning/scanRun.js';
import { createStatusMemory } from './scanning/statusMemory.js';

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
  /** Starts at once. @throws `busy` while a scan runs, `not-connected` */
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
  /** Undelivered pages of auto-scans that are over, as scans. */
  readonly autoscans: OtherScans;
  /**
   * On-demand scans that run or look for their scanner, and undelivered pages of auto-scans; of these, those that are lost if
   * the service ends now. And whether auto-scan is on.
   */
  load(): {
    readonly scans: number;
    readonly autoscanPages: number;
    readonly autoscanPagesAtRisk: number;
    readonly isAutoscanOn: boolean;
  };
  /** Ends a running scan after the sheet in the path, disables auto-scan, and closes the scanner. */
  close(reason: string): Promise<void>;
}

export interface ScanServiceParts extends Omit<AutoscanParts, 'openScanner' | 'learn' | 'lost' | 'ended' | 'meter'> {
  readonly devices: Devices;
  readonly meter?: Meter;
  /** Milliseconds without use before the open scanner is closed. */
  readonly idleMs: number;
  /** Every scanner's capabilities list the OCR languages (interface, "Platform differences"). */
  readonly listsOcrLanguages?: boolean;
}

export function createScanService(shared: ScanServiceParts): ScanService {
  const { devices, clock, log, registry, limits } = shared;
  let running: OnDemandRun | undefined;
  /** Scans that run, or whose scanner is looked for: one that is not there keeps nobody from scanning. */
  const begun = new Set<OnDemandRun>();
  let closed = false;
  const closing = new AbortController();
  let opening: Promise<void> | undefined;
  const statuses = createStatusMemory(clock);
  const openScanner = createOpenScanner(shared);
  const cache = createCapabilityCache({
    clock,
    devices,
    registry,
    openScanner,
    listsOcrLanguages: shared.listsOcrLanguages,
    isScanning: () => running !== undefined,
  });
  const ended = (end: ScanEnd): void => {
    log.info(endSentence(end));
    shared.meter?.ended(end);
  };
  const parts: ScanParts = { ...shared, openScanner, learn: cache.learn, ended };
  const autoscan = createAutoscan({ ...shared, ...parts, lost: statuses.forget });
  const unlink = registry.drivers.map(driver =>
    driver.link?.onChange(connected => void (connected || linkLost(driver))),
  );

  return {
    list: () => devices.list(),
    look: enough => devices.look(enough),
    slowDrivers: () => devices.slow(),
    listingFailures: () => devices.failures(),

    async status() {
      const open = openScanner.current;
      if (!open) return { isOnline: await anyOnline(), isPaperLoaded: false, isSourceOpen: false };
      try {
        const { online, paper } = await statuses.of(open);
        return { isOnline: online, isPaperLoaded: paper === 'loaded', isSourceOpen: true };
      } catch {
        return { isOnline: false, isPaperLoaded: false, isSourceOpen: true };
      }
    },

    capabilities: async name => cache.offered(await namedOrOpen(name)),
    sources: async name => cache.sources(await namedOrOpen(name)),

    assertConnected: () => devices.assertConnected(),

    openNow: () => autoscan.scannerName ?? openScanner.current?.known.name,
    openName() {
      if (!openScanner.current) throw noSourceOpen();
      return openScanner.current.known.name;
    },

    async open(name) {
      const known = await devices.find(name);
      await openFor(known);
      return known;
    },

    async closeSource() {
      if (running) throw scanRuns();
      await endAutoscan('scanner-closed', 'Auto-scan was turned off: the scanner was closed.');
      const wasOpen = openScanner.current !== undefined;
      await openScanner.close();
      return wasOpen;
    },

    scan(request, sink) {
      devices.assertConnected();
      assertFree();
      const claim = (): void => {
        if (running === its) return;
        assertFree();
        running = its;
      };
      const run = startOnDemand(request, sink, signal => locate(request.scannerName, signal, claim), parts);
      const over = run.over.then(error => {
        begun.delete(its);
        if (running === its) running = undefined;
        return error;
      });
      const its: OnDemandRun = { ...run, over };
      begun.add(its);
      return its;
    },

    cancel(requestId) {
      const meant = [...begun].filter(each => requestId === undefined || each.requestId === requestId);
      for (const each of meant) each.end(new ScanError('cancelled', 'The scan was cancelled.'));
      return meant.length > 0;
    },

    async enableAutoscan(options, name, origin = '') {
      devices.assertConnected();
      assertFree();
      if (name !== undefined) await openFor(await devices.find(name));
      const open = openScanner.current;
      if (!open) throw noSourceOpen(NAME_ONE);
      const [notes, failure] = await checkForAutoscan(open, options).then(
        given => [given, undefined] as const,
        (error: unknown) => [[], error] as const,
      );
      // While the scanner was asked, another call may have taken, changed or closed it.
      assertFree();
      if (!openScanner.current || !isSame(openScanner.current.known, open.known)) throw noSourceOpen(NAME_ONE);
      if (failure !== undefined) throw failure;
      return [...notes, ...(await autoscan.enable(open, options, origin))];
    },

    disableAutoscan: (origin = '') => autoscan.disable(origin),
    isAutoscanOf: origin => autoscan.isOf(origin),
    withdrawAutoscan: origin =>
      autoscan.withdraw(origin, {
        event: 'disabled',
        reason: 'consent-ended',
        message: 'Auto-scan was turned off: the web page that turned it on may no longer scan.',
      }),
    readAutoscan: (lastEventId, origin = '') => autoscan.read(origin, lastEventId),
    autoscans: autoscan.scans,
    load: () => ({
      scans: begun.size,
      autoscanPages: autoscan.waiting,
      autoscanPagesAtRisk: autoscan.atRisk,
      isAutoscanOn: autoscan.enabled,
    }),

    async close(reason) {
      closed = true;
      closing.abort(new ScanError('busy', 'The service is stopping.'));
      await opening?.catch(() => undefined);
      for (const each of begun) each.end(new ScanError('service-ended', reason));
      await Promise.all([...begun].map(each => each.over));
      await endAutoscan('service-stopped', reason);
      await autoscan.close();
      await openScanner.close().catch(() => undefined);
      for (const end of unlink) end?.();
      devices.close();
    },
  };

  /** @param claim takes the scanners for this scan. @throws `busy` if another one was faster */
  async function locate(name: string, signal: AbortSignal, claim: () => void): Promise<KnownDevice> {
    const known = await devices.find(name);
    signal.throwIfAborted();
    claim();
    await preempt(known);
    return known;
  }

  /** An on-demand scan takes precedence over auto-scan on another scanner, but not on the same one. */
  async function preempt(known: KnownDevice): Promise<void> {
    await cache.quiet();
    if (!autoscan.enabled) return;
    if (openScanner.current && isSame(openScanner.current.known, known)) {
      throw new ScanError('busy', `Auto-scan is enabled on ${known.name}. Disable it first.`);
    }
    await endAutoscan('scan-began', `Auto-scan was turned off: a scan on ${known.name} began.`);
  }

  async function openFor(known: KnownDevice): Promise<void> {
    assertFree();
    if (openScanner.current && isSame(openScanner.current.known, known) && openScanner.state !== 'closing') return;
    await cache.quiet();
    await endAutoscan('scanner-opened', `Auto-scan was turned off: ${known.name} was opened.`);
    assertFree();
    opening = openScanner.open(known, { signal: closing.signal });
    await opening;
  }

  async function namedOrOpen(name: string | undefined): Promise<KnownDevice> {
    devices.assertConnected();
    if (name !== undefined) return devices.find(name);
    if (!openScanner.current) throw noSourceOpen();
    return openScanner.current.known;
  }

  /** Includes one that was enabled while the previous one ended. */
  async function endAutoscan(reason: EndReason, message: string): Promise<void> {
    while (autoscan.enabled) await autoscan.end({ event: 'disabled', reason, message });
  }

  /** Rejects options that the scanner does not support, before there is any paper. */
  async function checkForAutoscan(open: OpenDevice, options: ScanOptions): Promise<readonly ScanNote[]> {
    if (options.source === 'Flatbed')
      throw new InvalidValue('source', 'Feeder or Auto for auto-scan', ['Feeder', 'Auto']);
    const notes = createNoteList();
    const { device, name } = open.known;
    const [capabilities, { paper, paperByTrial }] = [await cache.raw(open), await statuses.of(open)];
    planScan({
      device,
      capabilities,
      paper: 'loaded',
      options,
      software: withReaders(registry, options.readers),
      maxPixels: limits.maxPixels,
      note: notes.add,
    });
    if (options.timeoutSeconds > 0)
      notes.add(
        noteOnField(
          'field-ignored',
          'requestTimeoutSeconds',
          'has no effect in auto-scan, whose captures have no request. A device that delivers nothing is given up after scan.inactivitySeconds.',
        ),
      );
    if (!capabilities.feeder) {
      const text = `${name} has no feeder, so auto-scan never gets a page from it. Use on-demand scans.`;
      notes.add({ code: 'no-feeder', text });
    } else if (paper === 'unknown' && paperByTrial) {
      const text = `${name} does not report paper reliably, so auto-scan tries its feeder every ${TRIAL_MS / 1000} s.`;
      notes.add({ code: 'paper-by-trial', text });
    } else if (paper === 'unknown') {
      const text = `${name} does not report paper, so auto-scan never detects a page in it. Use on-demand scans.`;
      notes.add({ code: 'paper-unknown', text });
    }
    return notes.all;
  }

  /** The open scanner belongs to the program that disconnected; the driver reports this to a running scan. */
  async function linkLost(driver: Driver): Promise<void> {
    await autoscan.end({
      event: 'error',
      reason: 'not-connected',
      message: 'The desktop application disconnected.',
    });
    if (openScanner.state === 'open' && openScanner.current?.known.driver === driver) await openScanner.close();
  }

  function assertFree(): void {
    if (closed) throw new ScanError('busy', 'The service is stopping.');
    if (running) throw scanRuns();
  }

  function scanRuns(): ScanError {
    const name = openScanner.current?.known.name;
    return new ScanError(
      'busy',
      `${name === undefined ? 'A scan is running' : `${name} is scanning`}. Try again when the scan has finished, or cancel it.`,
    );
  }

  /** From memory; waits for the first discovery only while no scanner is known. */
  async function anyOnline(): Promise<boolean> {
    const isOnline = ({ device, remembered }: KnownDevice): boolean => device.online && !remembered;
    try {
      devices.assertConnected();
      return devices.known().some(isOnline) || (!devices.looked() && (await devices.list()).some(isOnline));
    } catch (error) {
      if (codeOf(error) === 'not-connected') return false;
      throw error;
    }
  }
}

const NAME_ONE = 'No scanner is open. Open one first, or name it in scannerName.';

function noSourceOpen(message = 'No scanner is open. Open one first.'): ScanError {
  return new ScanError('no-source-open', message);
}
