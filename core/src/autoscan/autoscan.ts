/** Auto-scan: while it is enabled, every sheet that is put into the feeder is scanned and goes to the readers. */
import { ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { Spool } from '../pipeline/spool.js';
import type { ScanWishes } from '../pipeline/wishes.js';
import { isSame, type OpenScanner } from '../session/openDevice.js';
import type { ScanParts } from '../session/scanRun.js';
import { stepAutoscan, type AutoscanEffect, type AutoscanEvent, type AutoscanState } from './autoscanMachine.js';
import { startCapture, type Capture, type CaptureResult, type KeptPage } from './capture.js';
import { createOutbox, type Outbox, type OutboxEnd, type OutboxReader } from './outbox.js';
import { isGone, watchPaper } from './paperWatch.js';

export interface AutoscanLimits {
  /** How long nobody may read. */
  readonly idleMs: number;
  /** Failed or empty captures in a row; a device's own limit goes before. */
  readonly maxFailures: number;
  /** Undelivered pages that stop the feeding. */
  readonly outboxPages: number;
}

export type AutoscanParts = ScanParts & { readonly spool: Spool; readonly log: Log; readonly autoscan: AutoscanLimits };

export interface Autoscan {
  readonly enabled: boolean;
  /** While enabled, the new wishes count from the next document. The scanner is open and takes the wishes. @throws `no-source-open` when it was closed meanwhile */
  enable(scanner: OpenScanner, wishes: ScanWishes): Promise<void>;
  /** Resolves when nothing is fed any more and the readers have been told. */
  end(end: OutboxEnd): Promise<void>;
  /** @throws `autoscan-off` while it is disabled */
  read(lastEventId?: string): OutboxReader<KeptPage>;
}

/** What lasts from one enabling to its end. */
interface Enabling {
  scanner: OpenScanner;
  readonly outbox: Outbox<KeptPage>;
  wishes: ScanWishes;
  endWatch(): void;
  capture?: Capture;
  /** Pages so far. */
  pages: number;
  failures: number;
  /** Of the last capture, where it failed: why the device may be gone. */
  failure?: string | undefined;
  cancelIdle(): void;
  /** The readers have been told. */
  ended: boolean;
  farewell: OutboxEnd;
  readonly over: Promise<void>;
  finished(): void;
}

export function createAutoscan(parts: AutoscanParts): Autoscan {
  const { clock, log, spool, autoscan: limits } = parts;
  let state: AutoscanState = 'disabled';
  let series = 0;
  let now: Enabling | undefined;

  const send = (event: AutoscanEvent): void => {
    const step = stepAutoscan(state, event);
    state = step.state;
    if (now) for (const effect of step.effects) effects[effect](now);
  };

  const finish = (enabling: Enabling, end: OutboxEnd): void => {
    if (enabling !== now || state === 'disabled' || state === 'disabling') return;
    enabling.farewell = end;
    send('end');
  };

  const effects: Readonly<Record<AutoscanEffect, (enabling: Enabling) => void>> = {
    listen: enabling => listen(enabling, false),
    rest: enabling => listen(enabling, true),
    capture(enabling) {
      enabling.capture = startCapture({ ...enabling, after: enabling.pages, shelf: () => spool.shelf(), note: sentence => log.info(sentence) }, parts);
      void enabling.capture.over.then(over => captured(enabling, over));
    },
    renew: ({ capture }) => capture?.stop(),
    stop: ({ capture }) => capture?.stop(),
    farewell(enabling) {
      enabling.endWatch();
      enabling.ended = true;
      enabling.cancelIdle();
      enabling.outbox.end(enabling.farewell);
      log.info(`Auto-scan on ${enabling.scanner.known.name} is off: ${enabling.farewell.message}`);
      enabling.finished();
    },
  };

  /** The session may be another one since the last capture: a driver that failed was closed and opened again. */
  const listen = (enabling: Enabling, rested: boolean): void => {
    const current = parts.holder.current;
    if (!current) return finish(enabling, { event: 'error', message: `The scanner ${enabling.scanner.known.name} is not open any more. ${enabling.failure ?? ''}`.trim() });
    enabling.scanner = current;
    enabling.endWatch = watchPaper(current, clock, rested, {
      ready: () => enabling.outbox.hasRoom,
      onPaper: () => send('paper'),
      onLost: message => finish(enabling, { event: 'error', message }),
    });
  };

  const captured = (enabling: Enabling, { pages, failed, failure }: CaptureResult): void => {
    enabling.pages += pages;
    enabling.failures = failed ? enabling.failures + 1 : 0;
    enabling.failure = failure?.message;
    if (failure) log.warn(`A capture of auto-scan failed with ${failure.code}: ${failure.message}`);
    const most = enabling.scanner.known.device.traits?.autoScanFailureLimit ?? limits.maxFailures;
    if (failure && isGone(failure)) finish(enabling, { event: 'error', message: failure.message });
    else if (failed && enabling.failures >= most) {
      finish(enabling, { event: 'disabled', message: `Auto-scan was turned off after ${most} failed or empty scans in a row. ${failure?.message ?? ''}`.trim() });
    }
    send(failed ? 'failed' : 'captured');
  };

  const startIdle = (enabling: Enabling, readers: number): void => {
    enabling.cancelIdle();
    // A reader that leaves after the farewell starts nothing: its timer would outlive the service.
    if (readers > 0 || enabling.ended) return;
    enabling.cancelIdle = clock.after(limits.idleMs, () => finish(enabling, { event: 'disabled', message: `Auto-scan was turned off: nobody read its events for ${inWords(limits.idleMs)}.` }));
  };

  const begin = (scanner: OpenScanner, wishes: ScanWishes): Enabling => {
    let finished = (): void => undefined;
    const over = new Promise<void>(resolve => (finished = resolve));
    // Never one that was used before, not even by the service's last run: a reader may come back with an old id.
    series = Math.max(series + 1, clock.now());
    const outbox = createOutbox<KeptPage>({
      series: String(series),
      capacity: limits.outboxPages,
      onReaders: readers => startIdle(enabling, readers),
      discard: kept => kept.drop(),
    });
    const farewell: OutboxEnd = { event: 'disabled', message: '' };
    const nothing = (): void => undefined;
    const enabling: Enabling = { scanner, outbox, wishes, pages: 0, failures: 0, ended: false, cancelIdle: nothing, endWatch: nothing, farewell, over, finished };
    startIdle(enabling, 0);
    return enabling;
  };

  return {
    get enabled() {
      return state !== 'disabled';
    },
    async enable(scanner, wishes) {
      if (state === 'disabling') await now?.over;
      const { current, state: source } = parts.holder;
      if (now && state !== 'disabled') now.wishes = wishes;
      else if (current && source === 'open' && isSame(current.known, scanner.known)) now = begin(current, wishes);
      else throw new ScanError('no-source-open', `The scanner ${scanner.known.name} is not open any more.`);
      send('enable');
    },
    async end(end) {
      if (!now || state === 'disabled') return;
      finish(now, end);
      await now.over;
    },
    read(lastEventId) {
      if (!now || state === 'disabled' || state === 'disabling') throw new ScanError('autoscan-off', 'Auto-scan is disabled: enable it first.');
      return now.outbox.read(lastEventId);
    },
  };
}

function inWords(ms: number): string {
  const [count, unit] = ms >= 60_000 && ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
