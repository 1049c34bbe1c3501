/** One scan, on demand or for auto-scan: from the lease of its scanner until its last page is stored. */
import { randomUUID } from 'node:crypto';
import type { Capabilities, Status } from '../contract/driver.js';
import { asDriverError, codeOf, messageOf, ScanError } from '../contract/errors.js';
import type { FinishedPage } from '../pipeline/finish.js';
import type { ScanNote } from '../pipeline/notes.js';
import { planScan } from '../pipeline/plan.js';
import { scanPages } from '../pipeline/scanPages.js';
import type { Spool } from '../pipeline/spool.js';
import type { Timed } from '../pipeline/stages.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { KnownDevice } from '../devices/devices.js';
import type { ScanEvent } from '../contract/scanEvents.js';
import { withReaders } from '../registry/asked.js';
import type { Registry } from '../registry/registry.js';
import { createCancellation, type Cancellation } from '../time/cancellation.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import { deferred } from '../time/wait.js';
import type { ByteBudget } from '../work/byteBudget.js';
import type { Semaphore } from '../work/semaphore.js';
import type { Followers } from './followers.js';
import type { Lanes } from './lanes.js';
import type { Lease, SessionOutcome } from './openScanner.js';
import type { Meter } from './meter.js';
import type { ScanEnd, ScanKind } from './scanEnd.js';

/** Milliseconds for a driver to answer with capabilities or a status. */
export const ASK_DEADLINE_MS = 30_000;

export interface ScanLimits {
  readonly inactivityMs: number;
  /** Milliseconds for the sheet in the path after a cancel or a disconnect. */
  readonly graceMs: number;
  /** The same, after the request's own deadline. */
  readonly deadlineGraceMs: number;
  /** Most bytes of scanned pages, of all scans, that are worked on; one page may be larger. */
  readonly rawBytes: number;
  /** Most bytes of all scans that wait on disk to be read. 2 GiB: 1,400 pages that a device encoded, 80 that it did not. */
  readonly backlogBytes: number;
  readonly maxPixels: number;
}

/**
 * Where finished pages go: each is stored before the next one is requested. Always keeps the page. Resolves when the next one may follow.
 * @param stop aborted when nothing more is fed: pages in the path must come out, so keeping never waits for room
 * @returns why no other page should follow: this ends the scan, which fails with the first such reason
 */
export type KeepPage = (page: FinishedPage, stop: AbortSignal) => Promise<ScanError | undefined>;

/** What every scan needs from the service. */
export interface ScanParts {
  readonly lanes: Lanes;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly pool: Semaphore;
  readonly limits: ScanLimits;
  /** Those of the limits, which all scans share. */
  readonly budgets: { readonly raw: ByteBudget; readonly backlog: ByteBudget };
  /** Where pages wait to be read. Absent: in the device. */
  readonly spool?: Pick<Spool, 'shelf'>;
  /** Called with the capabilities of a scanner, whenever a scan had to ask for them. */
  learn(known: KnownDevice, capabilities: Capabilities): void;
  /** Called once for each scan that ended, however it did. Must not throw. */
  ended(end: ScanEnd): void;
  /** Absent: no plugin follows scans. */
  readonly followers?: Followers;
  /** Absent: nobody counts. */
  readonly meter?: Omit<Meter, 'ended'>;
}

/** One scan. On-demand scans and auto-scan captures differ only in these fields. */
export interface ScanJob {
  readonly kind: ScanKind;
  /** As the client named it. */
  readonly scannerName: string;
  /** Resolves with the scanner when it may be used. @param signal aborted if the scan is ended meanwhile */
  locate(signal: AbortSignal): Promise<KnownDevice>;
  readonly options: ScanOptions;
  /** Web pages that asked for it; empty: a program did. */
  readonly origins: readonly string[];
  readonly keep: KeepPage;
  /** Called with notes for the user. */
  note(note: ScanNote): void;
  /** Called when everything is checked; the device feeds when it resolves, and the scan ends if it rejects. */
  onAccepted?(): Promise<void>;
  /** Called when the device has delivered another page. */
  onScanned?(): void;
  /** Pages that may be pulled before they are requested. */
  readonly ahead: number;
  /** The feeder is known to be loaded. Absent: the device is asked. */
  readonly paper?: 'loaded';
  /** Called when the feeder was empty and the flatbed is scanned instead. Absent: the scan ends. */
  onFlatbedInstead?(): void;
  /** A failed driver is reopened for the client's next scan. Absent: it is closed. */
  readonly reopens?: boolean;
}

/** A scan that has started. */
export interface ScanRun {
  /** Feeds nothing more and finishes the sheet in the path. The first reason stays. @param graceMs for that sheet */
  end(reason: ScanError, graceMs?: number): void;
  /**
   * Resolves when all delivered pages are stored and the scanner is returned. Never rejects.
   * @returns why the scan failed
   */
  readonly over: Promise<ScanError | undefined>;
  /**
   * Resolves when it has its scanner, or has ended without one: then it never began. Never rejects.
   * @returns whether it has the scanner
   */
  readonly located: Promise<boolean>;
}

/** Without what it has in common with the others of its scan. */
type Happened = ScanEvent extends infer Each
  ? Each extends ScanEvent
    ? Omit<Each, 'scan' | 'at' | 'origins'>
    : never
  : never;

export function startScan(job: ScanJob, parts: ScanParts): ScanRun {
  const { clock, limits, ended, followers, registry } = parts;
  // A scan ends with the plugins that it began with.
  const held = registry.hold();
  const { kind, scannerName, origins } = job;
  const id = randomUUID();
  let isTold = false;
  const tell = (event: Happened): Promise<void> | undefined =>
    followers?.tell({ ...event, scan: id, at: clock.now(), origins }, held.software.followers);
  const cancellation = createCancellation(clock);
  let started = clock.monotonic();
  let pages = 0;
  const { promise: located, resolve: settleLocated } = deferred<boolean>();
  const counted: ScanJob = {
    ...job,
    async locate(signal) {
      const known = await job.locate(signal);
      // The time in line is not the scan's.
      started = clock.monotonic();
      settleLocated(true);
      return known;
    },
    async keep(page, stop) {
      const problem = await job.keep(page, stop);
      if (!problem) {
        pages += 1;
        void tell({ event: 'page-stored', page: pages });
      }
      return problem;
    },
    async onAccepted() {
      await job.onAccepted?.();
      isTold = true;
      void tell({ event: 'scan-started', kind, scanner: scannerName });
    },
  };
  return {
    end: (reason, graceMs = limits.graceMs) => cancellation.begin(reason, graceMs),
    over: scan(counted, held.software, parts, cancellation).then(failure => {
      const seconds = (clock.monotonic() - started) / 1000;
      ended({ kind, scannerName, pages, seconds, code: failure?.code });
      const its = { event: 'scan-ended' as const, pages, seconds, ...(failure ? { code: failure.code } : {}) };
      // A plugin that follows is not closed before it has heard of the end.
      void Promise.resolve(isTold ? tell(its) : undefined).then(held.end);
      settleLocated(false);
      return failure;
    }),
    located,
  };
}

async function scan(
  job: ScanJob,
  loaded: Registry,
  parts: ScanParts,
  cancellation: Cancellation,
): Promise<ScanError | undefined> {
  const { lanes, limits, budgets, pool, clock, meter, spool } = parts;
  const { options } = job;
  const note = (given: ScanNote): void => {
    meter?.noted(given.code);
    job.note(given);
  };
  const secondsSince = (began: number): number => (clock.monotonic() - began) / 1000;
  const timed: Timed = async (stage, run) => {
    const began = clock.monotonic();
    try {
      return await run();
    } finally {
      meter?.took(stage, secondsSince(began));
    }
  };
  const throwIfEnded = (): void => {
    if (cancellation.reason) throw cancellation.reason;
  };
  /** Problem with the first page that could not be stored properly. */
  let problem: ScanError | undefined;
  const keep = async (page: FinishedPage): Promise<void> => {
    const found = await timed('store', () => job.keep(page, cancellation.stop)).catch((error: unknown) => {
      throw codeOf(error) ? error : new ScanError('internal', messageOf(error), { cause: error });
    });
    if (found) cancellation.begin(found, limits.graceMs);
    problem ??= found;
  };
  let lease: Lease | undefined;
  let failure: ScanError | undefined;
  let outcome: SessionOutcome = 'usable';
  let asking = false;
  let accepted = false;
  try {
    const known = await job.locate(cancellation.signal);
    throwIfEnded();
    const started = clock.monotonic();
    lease = await lanes.of(known).scanner.lease(known, { signal: cancellation.signal });
    asking = true;
    const capabilities = await askCapabilities(lease, parts, cancellation);
    let paper = job.paper ?? (await askPaper(lease, capabilities, parts, cancellation));
    asking = false;
    meter?.took('prepare', secondsSince(started));
    const software = withReaders(loaded, options.readers);
    for (;;) {
      const { device } = lease.known;
      const { maxPixels } = limits;
      const plan = planScan({ device, capabilities, paper, options, software, maxPixels, note });
      if (!accepted) await job.onAccepted?.();
      accepted = true;
      throwIfEnded();
      let came = false;
      try {
        const work = { plan, software, note, timed, driver: known.driver.id };
        const flow = {
          ...limits,
          raw: budgets.raw,
          ahead: job.ahead,
          ...(spool ? { backlog: { spool, budget: budgets.backlog } } : {}),
          ...(job.onScanned ? { onScanned: job.onScanned } : {}),
        };
        for await (const page of scanPages(lease.session, work, cancellation, pool, flow)) {
          came = true;
          await keep(page);
        }
        break;
      } catch (error) {
        // The sensor could not tell: the feeder is empty. Scan the flatbed instead, if there is one.
        const isEmpty =
          plan.order.source === 'feeder' && options.source !== 'Feeder' && codeOf(error) === 'no-paper' && !came;
        if (!isEmpty || !capabilities.flatbed || !job.onFlatbedInstead || cancellation.reason) throw error;
        job.onFlatbedInstead();
        paper = 'empty';
      }
    }
    throwIfEnded();
  } catch (error) {
    // A driver that must drop a call may throw its own error for it.
    const dropped = cancellation.signal.aborted && codeOf(error) === undefined;
    failure = dropped && cancellation.reason ? cancellation.reason : asCoded(error);
    outcome = dropped || (asking && isUnanswered(failure)) ? 'reopen' : outcomeAfter(failure, job);
  }
  cancellation.done();
  if (cancellation.unresponsive) outcome = 'reopen';
  await lease?.end(outcome).catch((error: unknown) => (failure ??= asCoded(error)));
  return problem ?? failure;
}

/** Asks the device for its capabilities. */
async function askCapabilities(
  lease: Lease,
  { clock, learn }: ScanParts,
  { signal }: Cancellation,
): Promise<Capabilities> {
  const { session, known } = lease;
  const what = `asking ${known.name} for its capabilities`;
  const capabilities = await callWithin(clock, ASK_DEADLINE_MS, what, call => session.capabilities(call), signal);
  learn(known, capabilities);
  return capabilities;
}

/**
 * Asks a device with a feeder whether paper is loaded. During the scan, the driver answers `status` with what it
 * reported here. Without a flatbed there is nothing to choose: a device that refuses the question is scanned anyway.
 */
async function askPaper(
  lease: Lease,
  { feeder, flatbed }: Capabilities,
  { clock }: ScanParts,
  { signal }: Cancellation,
): Promise<Status['paper']> {
  const { session, known } = lease;
  if (!feeder) return 'unknown';
  const what = `asking ${known.name} for paper`;
  try {
    return (await callWithin(clock, ASK_DEADLINE_MS, what, call => session.status(call), signal)).paper;
  } catch (error) {
    if (flatbed || isUnanswered(asCoded(error))) throw error;
    return 'unknown';
  }
}

/** Codes are read structurally: an error class of another copy of core counts too. */
function asCoded(error: unknown): ScanError {
  return codeOf(error) ? (error as ScanError) : asDriverError(error);
}

/** A driver that did not answer in time may still be working: its state is unknown. */
function isUnanswered({ code }: ScanError): boolean {
  return code === 'timeout' || code === 'cancelled';
}

/** After these failures the session is unusable, whatever it reports. */
function outcomeAfter({ code }: ScanError, { reopens = false }: ScanJob): SessionOutcome {
  if (code === 'driver-failed') return reopens ? 'reopen' : 'gone';
  return code === 'device-offline' || code === 'not-connected' ? 'gone' : 'usable';
}
