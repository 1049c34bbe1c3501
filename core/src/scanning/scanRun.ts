/** One on-demand scan, from the request to the last finished page. */
import type { Capabilities, Status } from '../contract/driver.js';
import { asDriverError, codeOf, ScanError } from '../contract/errors.js';
import type { FinishedPage } from '../pipeline/finish.js';
import { planScan, type ScanPlan } from '../pipeline/plan.js';
import { scanPages } from '../pipeline/scanPages.js';
import type { ScanWishes } from '../pipeline/wishes.js';
import type { Devices, KnownDevice } from '../registry/devices.js';
import type { Registry } from '../registry/registry.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import type { Semaphore } from '../work/semaphore.js';
import { createCancellation, type Cancellation } from '../time/cancellation.js';
import type { Fate, OpenScanner, Lease } from './openScanner.js';

/** How long a driver may take to say what a device can do, or how it is. */
export const ASK_DEADLINE_MS = 30_000;

export interface ScanLimits {
  readonly inactivityMs: number;
  /** For the sheet in the path, when a scan is cancelled or its client hung up. */
  readonly graceMs: number;
  /** The same, when the request's own deadline has passed. */
  readonly deadlineGraceMs: number;
  readonly rawBytes: number;
  readonly maxPixels: number;
}

export interface ScanParts {
  readonly devices: Devices;
  readonly openScanner: OpenScanner;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly pool: Semaphore;
  readonly limits: ScanLimits;
  /** Called before a scanner is taken for an on-demand scan: ends what is in the way. @throws `busy` where it may not be ended */
  makeWay(known: KnownDevice): Promise<void>;
  /** Told what the driver says of a scanner, whenever a scan had to ask. */
  learn?(known: KnownDevice, capabilities: Capabilities): void;
}

export interface ScanRequest {
  readonly scannerName: string;
  readonly wishes: ScanWishes;
  /** What the client calls this scan, to cancel it. */
  readonly requestId?: string;
}

export interface ScanRun {
  readonly requestId: string | undefined;
  /**
   * Pulls the scan: nothing happens before the first pull. When the scan fails or is ended, the pages that were
   * scanned come first and the error is thrown after them.
   */
  readonly pages: AsyncGenerator<FinishedPage, void>;
  /** What a person should know, each sentence once. */
  readonly notes: ReadonlySet<string>;
  /** Feeds nothing more and finishes the sheet in hand. */
  end(reason: ScanError): void;
}

export function createScanRun(request: ScanRequest, parts: ScanParts): ScanRun {
  const notes = new Set<string>();
  const cancellation = createCancellation(parts.clock);
  return {
    requestId: request.requestId,
    notes,
    end: reason => cancellation.begin(reason, parts.limits.graceMs),
    pages: run(request, parts, cancellation, notes),
  };
}

async function* run(request: ScanRequest, parts: ScanParts, cancellation: Cancellation, notes: Set<string>): AsyncGenerator<FinishedPage, void> {
  const note = (sentence: string): void => void notes.add(sentence);
  const { devices, openScanner, limits, pool, registry } = parts;
  const cancelDeadline = startDeadline(request.wishes.timeoutSeconds, cancellation, parts);
  let lease: Lease | undefined;
  let fate: Fate = 'usable';
  let asking = false;
  try {
    const known = await devices.find(request.scannerName);
    if (cancellation.reason) throw cancellation.reason;
    await parts.makeWay(known);
    lease = await openScanner.lease(known, { signal: cancellation.signal });
    asking = true;
    const capabilities = await askCapabilities(lease, parts, cancellation);
    let paper = await askPaper(lease, capabilities, parts, cancellation);
    asking = false;
    for (;;) {
      const plan = makePlan(lease.known, capabilities, paper, request.wishes, parts, note);
      if (cancellation.reason) throw cancellation.reason;
      let came = false;
      try {
        for await (const page of scanPages(lease.session, { plan, software: registry, note, driver: known.driver.id }, cancellation, pool, { ...limits, ahead: Math.max(2, pool.places) })) {
          came = true;
          yield page;
        }
        break;
      } catch (error) {
        // The sensor did not know: the feeder is empty. Where there is a flatbed, it is scanned instead.
        if (came || cancellation.reason || plan.order.source !== 'feeder' || !capabilities.flatbed || codeOf(error) !== 'no-paper') throw error;
        notes.clear();
        paper = 'empty';
      }
    }
    if (cancellation.reason) throw cancellation.reason;
  } catch (error) {
    // A driver that is made to drop a call may throw words of its own for it.
    const dropped = cancellation.signal.aborted && codeOf(error) === undefined;
    fate = dropped || (asking && unanswered(error)) ? 'deaf' : fateAfter(error);
    if (dropped) throw cancellation.reason;
    throw codeOf(error) ? error : asDriverError(error);
  } finally {
    cancelDeadline();
    cancellation.done();
    await lease?.end(cancellation.unresponsive ? 'deaf' : fate);
  }
}

function startDeadline(seconds: number, cancellation: Cancellation, { clock, limits }: ScanParts): () => void {
  if (seconds === 0) return () => undefined;
  const reason = new ScanError('timeout', `The scan took longer than the ${seconds} s that the request allows.`);
  return clock.after(seconds * 1000, () => cancellation.begin(reason, limits.deadlineGraceMs));
}

/** Asks the device what it can do. */
export async function askCapabilities({ session, known }: Lease, { clock, learn }: ScanParts, { signal }: Cancellation): Promise<Capabilities> {
  const capabilities = await callWithin(clock, ASK_DEADLINE_MS, `asking ${known.name} what it can do`, call => session.capabilities(call), signal);
  learn?.(known, capabilities);
  return capabilities;
}

/** Asks the device for paper, where it has a feeder: a driver that is asked how it is while it scans answers with what it said here. */
async function askPaper({ session, known }: Lease, { feeder }: Capabilities, { clock }: ScanParts, { signal }: Cancellation): Promise<Status['paper']> {
  if (!feeder) return 'unknown';
  return (await callWithin(clock, ASK_DEADLINE_MS, `asking ${known.name} for paper`, call => session.status(call), signal)).paper;
}

/** Nothing moves yet. */
export function makePlan({ device }: KnownDevice, capabilities: Capabilities, paper: Status['paper'], wishes: ScanWishes, parts: ScanParts, note: (sentence: string) => void): ScanPlan {
  return planScan({ device, capabilities, paper, wishes, software: parts.registry, maxPixels: parts.limits.maxPixels, note });
}

/** A driver that was asked and not waited for any longer may still be at it: its session is given up. */
function unanswered(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'timeout' || code === 'cancelled';
}

/** After these failures the session is of no use, whatever it says. */
export function fateAfter(error: unknown): Fate {
  const code = codeOf(error) ?? 'driver-failed';
  return code === 'device-offline' || code === 'driver-failed' || code === 'not-connected' ? 'gone' : 'usable';
}
