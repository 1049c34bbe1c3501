/**
 * The flow: from a session's pages to finished pages.
 *
 *   Session.scan ─▶ backlog ─▶ ahead ─▶ processors ─▶ recognisers ─▶ Format.encode ─▶ FinishedPage
 *
 * Page N+1 is scanned while page N is processed; pages and bytes in flight are bounded. Where pages are read, which may
 * be slower than the feeder, scanned pages wait on disk, and the device does not.
 */
import type { Session } from '../contract/driver.js';
import type { Page } from '../contract/page.js';
import { ScanError } from '../contract/errors.js';
import type { Cancellation } from '../time/cancellation.js';
import { deferred } from '../time/wait.js';
import type { ByteBudget } from '../work/byteBudget.js';
import type { Semaphore } from '../work/semaphore.js';
import { ahead } from './ahead.js';
import { backlog, type BacklogLimits } from './backlog.js';
import { finishPage, type FinishedPage } from './finish.js';
import { failureNote, recognises } from './recognise.js';
import { untimed, type Timed } from './stages.js';
import type { Work } from './work.js';

export interface FlowLimits {
  /** Pages that may be pulled before they are requested; 0 in auto-scan. */
  readonly ahead: number;
  /** Of bytes of scanned pages in flight, shared by all scans. */
  readonly raw: ByteBudget;
  /** Milliseconds that the device may deliver nothing. */
  readonly inactivityMs: number;
  /** Milliseconds for the sheet in the path to come out when the flow is ended here. */
  readonly graceMs: number;
  /** Of pages that wait to be read. Absent: they wait in the device. */
  readonly backlog?: BacklogLimits;
  /** Called with each page of the device, before it is finished. */
  onScanned?(): void;
}

export async function* scanPages(
  session: Session,
  work: Omit<Work, 'call'>,
  cancellation: Cancellation,
  pool: Semaphore,
  limits: FlowLimits,
): AsyncGenerator<FinishedPage, void> {
  const { signal } = cancellation;
  const { order } = work.plan;
  const { timed = untimed } = work;
  const enough = new AbortController();
  const stop = AbortSignal.any([cancellation.stop, enough.signal]);
  /** For the pool: whose pages they are. */
  const scan = {};
  let pageNumber = 0;
  const waited = new WeakSet<Page>();
  const scanned = (page: Page): void => {
    limits.onScanned?.();
    // Most devices count themselves; what another one has fed beyond is delivered.
    if (page.sheet >= (order.sheets ?? Infinity)) enough.abort();
  };
  const finish = (page: Page): Promise<FinishedPage> => {
    const number = ++pageNumber;
    // Scanned pages are finished however the scan ends, so this signal is never aborted.
    const turn = deferred<void>();
    void timed('queue', () => turn.promise);
    const finished = (): Promise<FinishedPage> => {
      turn.resolve();
      const own = { ...work, call: { signal: new AbortController().signal } };
      return finishPage(page, number, cancellation.reason && waited.has(page) ? withoutText(own, number) : own);
    };
    // Scans have their pages finished in turn: one page on the flatbed does not wait for a stack.
    return pool.run(finished, undefined, scan);
  };

  cancellation.feeding();
  const pages = watched(session.scan(order, { stop, signal }), cancellation, limits.inactivityMs, timed, scanned);
  const waits = limits.ahead > 0 && recognises(work) ? limits.backlog : undefined;
  yield* ahead(waits ? backlog(pages, waits, page => waited.add(page)) : pages, finish, {
    ahead: limits.ahead,
    budget: limits.raw,
    sizeOf: page => page.data.byteLength,
    halt: () => cancellation.begin(new ScanError('cancelled', 'The scan was ended.'), limits.graceMs),
  });
}

/** A scan that was ended does not read the text of all that waits: its pages come without. */
function withoutText(work: Work, pageNumber: number): Work {
  if (!work.plan.ocr || !work.software.ocr) return work;
  work.note(failureNote('ocr', pageNumber, 'the scan was ended'));
  return { ...work, plan: { ...work.plan, ocr: false } };
}

/** The device's pages; waits for each no longer than the device may be silent. */
async function* watched(
  pages: AsyncIterable<Page>,
  cancellation: Cancellation,
  inactivityMs: number,
  timed: Timed,
  onScanned: (page: Page) => void,
): AsyncGenerator<Page, void> {
  const iterator = pages[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await timed('feed', () => cancellation.guard(iterator.next(), inactivityMs)).catch(
        (error: unknown) => {
          ended = true;
          throw error;
        },
      );
      if (next.done) {
        ended = true;
        return;
      }
      onScanned(next.value);
      yield next.value;
    }
  } finally {
    if (!ended) await cancellation.guard(Promise.resolve(iterator.return?.()), inactivityMs);
  }
}
