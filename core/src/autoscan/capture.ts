/** One capture of auto-scan: what lies in the feeder, page by page, into the outbox. */
import { asDriverError, codeOf, ScanError } from '../contract/errors.js';
import { scanPages } from '../pipeline/scanPages.js';
import type { ScanWishes } from '../pipeline/wishes.js';
import { createCancellation, type Cancellation } from '../time/cancellation.js';
import type { Fate } from '../scanning/openScanner.js';
import type { OpenDevice } from '../scanning/openDevice.js';
import { askCapabilities, fateAfter, makePlan, type ScanParts } from '../scanning/scanRun.js';
import { unlessAborted } from '../time/wait.js';
import type { KeptPage, StoredBox } from './boxStore.js';
import type { Outbox } from './outbox.js';

export interface CaptureResult {
  /** Pages that went into the outbox. */
  readonly pages: number;
  /** The device or the service failed, or the feeder was found empty; not when it was stopped. */
  readonly failed: boolean;
  readonly failure: ScanError | undefined;
}

export interface Capture {
  readonly over: Promise<CaptureResult>;
  /** Feeds nothing more; what is in the path still comes. */
  stop(): void;
}

export interface CaptureInput {
  readonly scanner: OpenDevice;
  readonly wishes: ScanWishes;
  /** The number of the page before the first one. */
  readonly after: number;
  readonly outbox: Outbox<KeptPage>;
  readonly stored: StoredBox;
  note(sentence: string): void;
}

export function startCapture(input: CaptureInput, parts: ScanParts): Capture {
  const cancellation = createCancellation(parts.clock);
  const stop = new ScanError('cancelled', 'Auto-scan ends this capture.');
  return { over: capture(input, parts, cancellation, stop), stop: () => cancellation.begin(stop, parts.limits.graceMs) };
}

/** Never throws. */
async function capture(input: CaptureInput, parts: ScanParts, cancellation: Cancellation, stop: ScanError): Promise<CaptureResult> {
  let pages = 0;
  let planned = false;
  let failure: ScanError | undefined;
  try {
    const lease = await parts.openScanner.lease(input.scanner.known, { signal: cancellation.signal });
    try {
      const plan = makePlan(lease.known, await askCapabilities(lease, parts, cancellation), 'loaded', input.wishes, parts, input.note);
      planned = true;
      const work = { plan, software: parts.registry, note: input.note, driver: input.scanner.known.driver.id };
      for await (const finished of scanPages(lease.session, work, cancellation, parts.pool, { ...parts.limits, ahead: 0 })) {
        // Nobody hears of a page, and none is counted, before it is safe.
        const { kept, problem } = await input.stored.keep({ ...finished, pageNumber: input.after + pages + 1 }, input.wishes.report);
        pages++;
        input.outbox.put(kept);
        if (problem) {
          failure ??= problem;
          cancellation.begin(problem, parts.limits.graceMs);
        }
        await roomOrStop(input.outbox, cancellation);
      }
    } catch (error) {
      failure ??= failureOf(error, cancellation);
    } finally {
      cancellation.done();
      await lease.end(fateOf(failure, cancellation, planned));
    }
  } catch (error) {
    failure ??= failureOf(error, cancellation);
  }
  const stopped = cancellation.reason === stop && (failure === undefined || failure.code === 'cancelled');
  return { pages, failed: !stopped && (failure !== undefined || pages === 0), failure: stopped ? undefined : failure };
}

/** A driver that is made to drop a call may throw words of its own for it. */
function failureOf(error: unknown, { signal, reason }: Cancellation): ScanError {
  if (codeOf(error)) return error as ScanError;
  return signal.aborted && reason ? reason : asDriverError(error);
}

/** A driver that failed, or that may still be at a question, is closed and opened again, so that the next sheet can be scanned; a device that is gone is not. */
function fateOf(failure: ScanError | undefined, { unresponsive }: Cancellation, planned: boolean): Fate {
  const code = failure?.code;
  if (unresponsive || code === 'driver-failed' || (!planned && (code === 'timeout' || code === 'cancelled'))) return 'deaf';
  return failure ? fateAfter(failure) : 'usable';
}

/** Resolves when another page may be pulled, or when nothing more is fed and what is in the path has to come out. */
async function roomOrStop(outbox: Outbox<KeptPage>, { stop }: Cancellation): Promise<void> {
  if (outbox.hasRoom || stop.aborted) return;
  await unlessAborted(outbox.room(), stop).catch(() => undefined);
}
