/** Auto-scan: while it is enabled, every sheet inserted into the feeder is scanned and delivered to the readers. */
import { randomInt, randomUUID } from 'node:crypto';
import { ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { OtherScans } from '../kept/keptScan.js';
import { atRisk, type StoredPage } from '../kept/storedPage.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import { isSame, type OpenDevice } from '../scanning/openDevice.js';
import type { ScanParts } from '../scanning/scanRun.js';
import { stepAutoscan, type AutoscanEffect, type AutoscanEvent, type AutoscanState } from './autoscanMachine.js';
import type { BoxStore } from './boxStore.js';
import { startCapture, type Capture, type CaptureResult } from './capture.js';
import { createBox, createKeptBoxes, type Box, type BoxLimits } from './keptBoxes.js';
import type { OutboxReader } from './outbox.js';
import { lostEnd, type OutboxEnd } from './outboxEnd.js';
import { isGone, watchPaper } from './paperWatch.js';
import { readInTurn } from './readInTurn.js';
import { pagesInWords, timeInWords } from './words.js';

export interface AutoscanLimits extends BoxLimits {
  /** Failed or empty captures in a row; a device's own limit takes precedence. */
  readonly maxFailures: number;
  /** Number of undelivered pages that stops feeding. */
  readonly outboxPages: number;
}

export type AutoscanParts = ScanParts & {
  readonly boxes: BoxStore;
  readonly log: Log;
  readonly autoscan: AutoscanLimits;
  /** Called when the open scanner is lost, before the readers are told. */
  lost?(scanner: OpenDevice): void;
};

export interface AutoscanReader extends OutboxReader<StoredPage> {
  /** First part of the running auto-scan's page ids; undefined while it is off and only earlier pages remain. */
  readonly series: string | undefined;
}

export interface Disabled {
  readonly wasEnabled: boolean;
  /** Pages that no reader took, also of earlier auto-scans of this origin. */
  readonly discarded: number;
}

/** The origin of a web page; empty for a program. */
export interface Autoscan {
  readonly enabled: boolean;
  /**
   * While enabled, the new options apply from the next document. The scanner is open and supports the options.
   * @returns notes for the user
   * @throws `no-source-open` if the scanner was closed meanwhile
   */
  enable(scanner: OpenDevice, options: ScanOptions, origin: string): Promise<readonly ScanNote[]>;
  /**
   * Disables it and keeps the pages that no reader took. Resolves when feeding has stopped and the readers were told.
   */
  end(end: OutboxEnd): Promise<void>;
  /** Disables it and discards the pages that no reader took, including earlier ones of this origin, also while off. */
  disable(origin: string): Promise<Disabled>;
  /** The scanner that it uses, also while that one is closed and opened again; undefined while it is off. */
  readonly scannerName: string | undefined;
  /** Whether it is enabled, and a page of this origin enabled it. */
  isOf(origin: string): boolean;
  /** Ends it like `end`, unless other origins enabled it, too. */
  withdraw(origin: string, end: OutboxEnd): Promise<void>;
  /** @throws `autoscan-off` while it is disabled and no page of an earlier auto-scan waits for this reader */
  read(origin: string, lastEventId?: string): AutoscanReader;
  /** Number of undelivered pages, also of auto-scans that are over. */
  readonly waiting: number;
  /** Of these, the pages that are lost if the service ends now. */
  readonly atRisk: number;
  /** Undelivered pages of auto-scans that are over, as scans. */
  readonly scans: OtherScans;
  /** Finishes pending writes and stops all timers. Auto-scan must be disabled. */
  close(): Promise<void>;
}

/** One auto-scan, from enable to its end. */
interface AutoscanSession {
  scanner: OpenDevice;
  readonly box: Box;
  readonly origins: Set<string>;
  options: ScanOptions;
  endWatch(): void;
  capture?: Capture;
  /** Number of pages so far. */
  pages: number;
  failures: number;
  /** Whether the capture is to find out if there is paper: that there is none is no failure. */
  isTrial: boolean;
  /** Failure of the last capture, if it failed: why the device may be gone. */
  failure?: string | undefined;
  cancelIdle(): void;
  /** Ends the use that keeps the scanner open. */
  release(): void;
  /** Whether the readers were told of the end. */
  ended: boolean;
  endNotice: OutboxEnd;
  /** Whether the pages that no reader took are discarded with it. */
  discards: boolean;
  /** Number of discarded pages. */
  discarded: number;
  readonly over: Promise<void>;
  finished(): void;
}

const BY_REQUEST: OutboxEnd = {
  event: 'disabled',
  reason: 'requested',
  message: 'Auto-scan was turned off by request.',
};

export function createAutoscan(parts: AutoscanParts): Autoscan {
  const { clock, log, boxes, autoscan: limits } = parts;
  let state: AutoscanState = 'disabled';
  let now: AutoscanSession | undefined;
  /** A page that waits in an earlier box counts against the room of this one. */
  const onDelivered = (): void => now?.box.outbox.stir();
  const kept = createKeptBoxes({ clock, log, limits, found: boxes.found, onDelivered });

  const send = (event: AutoscanEvent): void => {
    const step = stepAutoscan(state, event);
    state = step.state;
    if (now) for (const effect of step.effects) effects[effect](now);
  };

  const finish = (session: AutoscanSession, end: OutboxEnd, discards = false): void => {
    if (session !== now || state === 'disabled' || state === 'disabling') return;
    session.endNotice = end;
    session.discards = discards;
    send('end');
  };

  const effects: Readonly<Record<AutoscanEffect, (session: AutoscanSession) => void>> = {
    listen: session => listen(session, false),
    rest: session => listen(session, true),
    capture(session) {
      session.capture = startCapture(
        { ...session, ...session.box, after: session.box.outbox.last, note: ({ text }) => log.info(text) },
        parts,
      );
      void session.capture.over.then(over => captured(session, over));
    },
    renew: ({ capture }) => capture?.stop(),
    stop: ({ capture }) => capture?.stop(),
    notify(session) {
      session.endWatch();
      session.release();
      session.ended = true;
      session.cancelIdle();
      void (session.discards ? discard(session) : keep(session)).then(session.finished);
    },
  };

  /** Adds the number of discarded pages to the message. */
  const discard = (session: AutoscanSession): Promise<unknown> => {
    const { box, endNotice, scanner } = session;
    const { unread } = box.outbox;
    const gone =
      unread === 0 ? '' : ` ${pagesInWords(unread)} that no reader took ${unread === 1 ? 'was' : 'were'} discarded.`;
    const message = `${endNotice.message}${gone}`;
    const empty = box.outbox.discard({ ...endNotice, message });
    session.discarded = unread;
    log.info(`Auto-scan on ${scanner.known.name} is off: ${message}`);
    return box.stored.remove(empty);
  };

  const keep = ({ box, endNotice, scanner, pages }: AutoscanSession): Promise<unknown> => {
    const { waiting } = box.outbox;
    const left =
      waiting === 0
        ? ''
        : ` ${pagesInWords(waiting)} that no reader took ${waiting === 1 ? 'waits' : 'wait'} for the next reader.`;
    log.info(`Auto-scan on ${scanner.known.name} is off: ${endNotice.message}${left}`);
    box.outbox.end(endNotice);
    if (pages === 0) return box.stored.remove();
    const written = box.stored.tell({ end: endNotice, endedAt: clock.now() });
    kept.add(box);
    return written;
  };

  /** The session may have changed since the last capture: a failed driver is closed and opened again. */
  const listen = (session: AutoscanSession, rested: boolean): void => {
    const current = parts.openScanner.current;
    if (!current) {
      const message = `The scanner ${session.scanner.known.name} is no longer open. ${session.failure ?? ''}`.trim();
      return finish(session, { event: 'error', reason: 'driver-failed', message });
    }
    session.scanner = current;
    session.endWatch = watchPaper(current, clock, rested, {
      ready: () => session.box.outbox.hasRoom,
      onPaper(isTrial) {
        session.isTrial = isTrial;
        send('paper');
      },
      onLost(end) {
        parts.lost?.(current);
        finish(session, end);
      },
    });
  };

  const captured = (session: AutoscanSession, { pages, failed, failure }: CaptureResult): void => {
    session.pages += pages;
    const isOnlyEmpty = session.isTrial && failure?.code === 'no-paper';
    if (!isOnlyEmpty) session.failures = failed ? session.failures + 1 : 0;
    session.failure = failure?.message;
    if (failure && !isOnlyEmpty) log.warn(`A capture of auto-scan failed with ${failure.code}: ${failure.message}`);
    const most = session.scanner.known.device.traits?.autoScanFailureLimit ?? limits.maxFailures;
    if (failure && isGone(failure)) finish(session, lostEnd(failure));
    else if (failed && session.failures >= most) {
      const message =
        `Auto-scan was turned off after ${most} failed or empty scans in a row. ${failure?.message ?? ''}`.trim();
      finish(session, { event: 'disabled', reason: 'failing', message });
    }
    send(failed ? 'failed' : 'captured');
  };

  const startIdle = (session: AutoscanSession, readers: number): void => {
    session.cancelIdle();
    // After the end notice, a reader that leaves must not start the idle timer: it would outlive the service.
    if (readers > 0 || session.ended) return;
    const message = `Auto-scan was turned off: no client read its events for ${timeInWords(limits.idleMs)}.`;
    session.cancelIdle = clock.after(limits.idleMs, () =>
      finish(session, { event: 'disabled', reason: 'unread', message }, true),
    );
  };

  /** One stream has the pages that wait for this origin, and then this auto-scan's: no number comes twice. */
  const goOn = (session: AutoscanSession, origin: string): void => {
    const { outbox } = session.box;
    const last = kept.lastNumber(origin);
    if (session.pages === 0 && state !== 'capturing' && last > outbox.last) outbox.startAfter(last);
  };

  const begin = (scanner: OpenDevice, options: ScanOptions, origin: string): AutoscanSession => {
    let finished = (): void => undefined;
    const over = new Promise<void>(resolve => (finished = resolve));
    const origins = new Set([origin]);
    // A valid id proves what its reader got; nothing else does.
    const stored = boxes.create({
      id: randomUUID(),
      createdAt: clock.now(),
      series: String(randomInt(1e14, 2 ** 48 - 1)),
      origins: [origin],
      scanner: scanner.known.name,
    });
    const box = createBox(stored, limits, log, () => limits.outboxPages - kept.waiting(origins), onDelivered);
    box.onReaders = readers => startIdle(session, readers);
    const nothing = (): void => undefined;
    const session: AutoscanSession = {
      scanner,
      box,
      origins,
      options,
      pages: 0,
      failures: 0,
      isTrial: false,
      ended: false,
      cancelIdle: nothing,
      release: parts.openScanner.use(),
      endWatch: nothing,
      endNotice: BY_REQUEST,
      discards: false,
      discarded: 0,
      over,
      finished,
    };
    startIdle(session, 0);
    return session;
  };

  return {
    get enabled() {
      return state !== 'disabled';
    },
    async enable(scanner, options, origin) {
      if (state === 'disabling') await now?.over;
      const { current, state: source } = parts.openScanner;
      if (now && state !== 'disabled') {
        now.options = options;
        void now.box.stored.tell({ origins: [...now.origins.add(origin)] });
      } else if (current && source === 'open' && isSame(current.known, scanner.known))
        now = begin(current, options, origin);
      else throw new ScanError('no-source-open', `The scanner ${scanner.known.name} is no longer open.`);
      goOn(now, origin);
      send('enable');
      const waiting = kept.waiting(new Set([origin]));
      if (waiting === 0) return [];
      const full = waiting < limits.outboxPages ? '' : ' Feeding starts when some of them are read.';
      const text = `${pagesInWords(waiting)} of an earlier auto-scan ${waiting === 1 ? 'waits and comes' : 'wait and come'} first.${full}`;
      return [{ code: 'pages-waiting', text }];
    },
    async end(end) {
      if (!now || state === 'disabled') return;
      finish(now, end);
      await now.over;
    },
    get scannerName() {
      return state === 'disabled' ? undefined : now?.scanner.known.name;
    },
    isOf: origin => state !== 'disabled' && now?.origins.has(origin) === true,
    async withdraw(origin, end) {
      if (!this.isOf(origin) || !now) return;
      if (now.origins.size === 1) return this.end(end);
      now.origins.delete(origin);
      await now.box.stored.tell({ origins: [...now.origins] });
    },
    async disable(origin) {
      const wasEnabled = state !== 'disabled';
      let discarded = kept.discard(origin, BY_REQUEST);
      if (now && wasEnabled) {
        const its = now;
        finish(its, BY_REQUEST, true);
        // Also applies to an auto-scan that was ending for another reason.
        its.discards = true;
        await its.over;
        discarded += its.discarded;
      }
      return { wasEnabled, discarded };
    },
    read(origin, lastEventId) {
      // An auto-scan that is ending still delivers its last pages, unless they are discarded.
      const live = now && state !== 'disabled' && !(state === 'disabling' && now.discards) ? now.box : undefined;
      const all = kept.offered(origin, lastEventId);
      if (live) all.push(live.outbox);
      if (all.length === 0) throw new ScanError('autoscan-off', 'Auto-scan is disabled: enable it first.');
      return Object.assign(readInTurn(all, lastEventId), { series: live?.stored.facts.series });
    },
    get atRisk() {
      return kept.atRisk + (now && !now.ended ? atRisk(now.box.outbox.undelivered) : 0);
    },
    get waiting() {
      return kept.waiting() + (now && !now.ended ? now.box.outbox.waiting : 0);
    },
    scans: kept.scans,
    async close() {
      await now?.over;
      await kept.close();
    },
  };
}
