/** Scans whose pages arrive: those that wait at the service are shown, one that runs is followed, and their ends are told. */
import { PlatenError } from '../client/errors.js';
import type { Scan } from '../client/scans/keptScan.js';
import type { Context } from './context.js';
import type { ShownDocument } from './shownDocument.js';
import { showEnding } from './scanning/scanEnding.js';
import { follow } from './scanning/followScan.js';
import type { Followed, Job } from './scanning/job.js';
import type { Notices } from './messages/notices.js';
import type { Sheet } from './pages/page.js';
import type { Scanners } from './scanning/scanners.js';
import type { ShownScans } from './scanning/shownScans.js';
import { scanOf } from './pages/layout.js';
import type { WaitingScans, WaitingDocument } from './scanning/waitingScans.js';

export interface ArrivalParts {
  readonly context: Context;
  readonly notices: Notices;
  readonly shownDocument: ShownDocument;
  readonly shownScans: ShownScans;
  readonly scanners: Scanners;
  readonly job: Job;
  readonly waiting: WaitingScans;
  fail(error: unknown): Promise<void>;
  onError(error: PlatenError): void;
  /** Looks for scanners again. */
  onLook(): void;
}

export interface Arrivals {
  /** Those that this component shows already go on. The last one says how it ended. */
  show(scans: readonly Scan[]): Promise<void>;
  /** Pages that are shown and were not saved stay, before those of the document. */
  open(saved: WaitingDocument): Promise<void>;
  /** Scans on into this scan. */
  goOn(scan: Scan): void;
  /** A scan that was followed is over. */
  ended(followed: Followed): void;
}

export function createArrivals(parts: ArrivalParts): Arrivals {
  const { context, notices, shownDocument, shownScans, scanners, job, waiting, fail, onError, onLook } = parts;
  const { stack, append, latest } = shownDocument;
  const goOn = (scan: Scan): void => void job.continue(scan, append);

  function ended({ scan, ...how }: Followed): void {
    if (shownDocument.wasRefused(scan)) return shownScans.letGoAll();
    const hasFeeder = scanners.all.find(({ name }) => name === scan.scannerName)?.hasFeeder ?? true;
    const at = stack.all.findLastIndex(({ page }) => page.file.scan === scan.id);
    const next = (at < 0 ? stack.all.length : at + 1) + 1;
    showEnding(context, notices, { scan, ...how, next, hasFeeder, onContinue: () => goOn(scan), onLook });
    const { isFault, code, error } = how.end;
    if (isFault && code) onError(new PlatenError(code, error ?? code));
  }

  async function show(scans: readonly Scan[]): Promise<void> {
    const running = scans.find(({ state }) => state === 'running');
    let last: Followed | undefined;
    for (const scan of scans.filter(each => each !== running && !shownScans.has(each)))
      last = (await showOver(scan).catch(fail)) ?? last;
    // An earlier visit let them go: Undo would bring back nothing.
    const arrived = new Set(stack.known.map(({ id }) => id));
    stack.forget(id => !arrived.has(id) && !waiting.listed.has(scanOf(id)));
    if (running && !job.activity) {
      shownScans.add(running);
      const its = scanners.all.find(({ name }) => name === running.scannerName);
      if (its && its !== scanners.chosen) scanners.choose(its);
      return job.follow(running, running.kind === 'autoscan' ? latest : append);
    }
    if (last) ended(last);
  }

  /** Shows a scan that ended. @throws PlatenError */
  async function showOver(scan: Scan): Promise<Followed> {
    shownScans.add(scan);
    let isFirst = stack.all.length === 0;
    const onSheets = (sheets: readonly Sheet[]): void => {
      append(sheets, isFirst);
      isFirst = false;
    };
    const end = await follow(scan, { onSheets, onProgress: () => undefined, onConnection: () => undefined });
    return { scan, end, count: scan.pageCount, tookMs: undefined };
  }

  return {
    show,
    goOn,
    ended,
    open(saved) {
      stack.expect(saved.savedDocument.layout);
      return show(saved.scans);
    },
  };
}
