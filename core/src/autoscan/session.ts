/** One auto-scan, from enable to its end. */
import type { ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { lostEnd, type OutboxEnd } from '../outbox/outboxEnd.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { Lane, LaneUser } from '../scanning/lanes.js';
import type { OpenDevice } from '../scanning/openDevice.js';
import type { ScanParts } from '../scanning/scanRun.js';
import { deferred } from '../time/wait.js';
import { stepAutoscan, type AutoscanEffect, type AutoscanEvent, type AutoscanState } from './autoscanMachine.js';
import type { Box } from './box.js';
import type { Boxes, BoxLimits } from './boxes.js';
import { startCapture, type Capture, type CaptureResult } from './capture.js';
import { isGone, watchPaper } from './paperWatch.js';
import { pagesInWords, timeInWords } from './words.js';

export interface AutoscanLimits extends BoxLimits {
  /** Failed or empty captures in a row; a device's own limit takes precedence. */
  readonly maxFailures: number;
}

export type SessionParts = ScanParts & {
  /** Of the scanner. */
  readonly lane: Lane;
  readonly boxes: Boxes;
  readonly log: Log;
  readonly autoscan: AutoscanLimits;
  /** Called when the open scanner is lost, before the readers are told. */
  lost?(scanner: OpenDevice): void;
};

export interface AutoscanSession {
  /** `disabled` also while its readers are told the end. */
  readonly state: AutoscanState;
  readonly box: Box;
  /** The scanner that it uses, also while that one is closed and opened again. */
  readonly scanner: OpenDevice;
  /** Whether the pages that no reader took are discarded with it. */
  readonly discards: boolean;
  /** The number of discarded pages, when it is over. */
  readonly discarded: number;
  /** Begins it. While it is on, the options apply from the next document. */
  enable(options: ScanOptions): void;
  /** No effect if it is ending. */
  end(end: OutboxEnd): void;
  /** Ends it, and discards the pages that no reader took, also if it is ending for another reason. */
  discard(end: OutboxEnd): void;
  /** Resolves when feeding has stopped and the readers were told. */
  readonly over: Promise<void>;
}

/**
 * @param scanner is open, and stays open until the end
 * @throws `busy` if somebody uses its lane
 */
export function createAutoscanSession(scanner: OpenDevice, box: Box, parts: SessionParts): AutoscanSession {
  const { clock, log, boxes, lane, autoscan: limits } = parts;
  const user: LaneUser = { kind: 'auto-scan', isOf: origin => box.origins.includes(origin) };
  lane.take(user);
  const { promise: over, resolve: tellOver } = deferred<void>();
  const release = lane.scanner.use();
  let state: AutoscanState = 'disabled';
  let current = scanner;
  let options: ScanOptions;
  let endNotice: OutboxEnd;
  let discards = false;
  let discarded = 0;
  let pages = 0;
  const failures = countFailures(log);
  let capture: Capture | undefined;
  let endWatch = (): void => undefined;
  let cancelIdle = (): void => undefined;

  const send = (event: AutoscanEvent): void => {
    const step = stepAutoscan(state, event);
    state = step.state;
    for (const effect of step.effects) effects[effect]();
  };

  const end = (notice: OutboxEnd, isDiscard = false): void => {
    if (state === 'disabled' || state === 'disabling') return;
    endNotice = notice;
    discards = isDiscard && !box.keeps;
    send('end');
  };

  /** The session may have changed since the last capture: a failed driver is closed and opened again. */
  const listen = (rested: boolean): void => {
    const open = lane.scanner.current;
    if (!open) return end(closedEnd(current, failures.last));
    current = open;
    endWatch = watchPaper(open, clock, rested, {
      ready: () => box.outbox.hasRoom,
      onPaper(tries) {
        failures.isTrial = tries;
        send('paper');
      },
      onLost(lost) {
        parts.lost?.(open);
        end(lost);
      },
    });
  };

  const captured = (result: CaptureResult): void => {
    const { failed, failure } = result;
    pages += result.pages;
    const count = failures.add(result);
    const most = current.known.device.traits?.autoScanFailureLimit ?? limits.maxFailures;
    if (failure && isGone(failure)) end(lostEnd(failure));
    else if (failed && count >= most) end(failingEnd(most, failure));
    send(failed ? 'failed' : 'captured');
  };

  const startIdle = (readers: number): void => {
    cancelIdle();
    if (readers === 0) cancelIdle = clock.after(limits.idleMs, () => end(unreadEnd(limits.idleMs), true));
  };

  const effects: Readonly<Record<AutoscanEffect, () => void>> = {
    listen: () => listen(false),
    rest: () => listen(true),
    capture() {
      const note = ({ text }: ScanNote): void => log.info(text);
      capture = startCapture({ scanner: current, options, box, note }, parts);
      void capture.over.then(captured);
    },
    renew: () => capture?.stop(),
    stop: () => capture?.stop(),
    notify() {
      endWatch();
      lane.leave(user);
      const released = release();
      cancelIdle();
      // A reader that leaves from now on must not start the idle timer: it would outlive the service.
      box.onReaders = () => undefined;
      const left = leftInWords(box, discards);
      log.info(`Auto-scan on ${current.known.name} is off: ${endNotice.message}${left}`);
      if (discards) discarded = box.outbox.unread;
      const closed = discards
        ? boxes.discard(box, { ...endNotice, message: `${endNotice.message}${left}` })
        : boxes.keep(box, endNotice, pages);
      void Promise.all([closed, released]).then(() => tellOver());
    },
  };

  box.onCancel = () => end(BY_REQUEST);
  box.onReaders = startIdle;
  startIdle(0);
  return {
    box,
    over,
    get state() {
      return state;
    },
    get scanner() {
      return current;
    },
    get discards() {
      return discards;
    },
    get discarded() {
      return discarded;
    },
    enable(wished) {
      options = wished;
      send('enable');
    },
    end: notice => end(notice),
    discard(notice) {
      end(notice, true);
      discards = !box.keeps;
    },
  };
}

interface Failures {
  /** Whether the capture is to find out if there is paper: that there is none is no failure. */
  isTrial: boolean;
  /** Failure of the last capture, if it failed: why the device may be gone. */
  last: string | undefined;
  /** @returns how many came in a row */
  add(result: CaptureResult): number;
}

function countFailures(log: Log): Failures {
  let inARow = 0;
  const failures: Failures = {
    isTrial: false,
    last: undefined,
    add({ failed, failure }) {
      failures.last = failure?.message;
      if (failures.isTrial && failure?.code === 'no-paper') return inARow;
      inARow = failed ? inARow + 1 : 0;
      if (failure) log.warn(`A capture of auto-scan failed with ${failure.code}: ${failure.message}`);
      return inARow;
    },
  };
  return failures;
}

/** What becomes of the pages that no reader took, as a sentence; empty without any, and if all pages stay. */
function leftInWords({ outbox, keeps }: Box, discards: boolean): string {
  const count = keeps ? 0 : discards ? outbox.unread : outbox.waiting;
  const [one, many] = discards
    ? ['was discarded', 'were discarded']
    : ['waits for the next reader', 'wait for the next reader'];
  return count === 0 ? '' : ` ${pagesInWords(count)} that no reader took ${count === 1 ? one : many}.`;
}

export const BY_REQUEST: OutboxEnd = {
  event: 'disabled',
  reason: 'requested',
  message: 'Auto-scan was turned off by request.',
};

const closedEnd = ({ known }: OpenDevice, failure = ''): OutboxEnd => ({
  event: 'error',
  reason: 'driver-failed',
  message: `The scanner ${known.name} is no longer open. ${failure}`.trim(),
});

const unreadEnd = (idleMs: number): OutboxEnd => ({
  event: 'disabled',
  reason: 'unread',
  message: `Auto-scan was turned off: no client read its events for ${timeInWords(idleMs)}.`,
});

const failingEnd = (most: number, failure: ScanError | undefined): OutboxEnd => ({
  event: 'disabled',
  reason: 'failing',
  message: `Auto-scan was turned off after ${most} failed or empty scans in a row. ${failure?.message ?? ''}`.trim(),
});
