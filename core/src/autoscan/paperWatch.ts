/** Tells auto-scan when paper is in the feeder: from the session's events where it has them, and by polling. */
import { codeOf, ScanError } from '../contract/errors.js';
import type { OpenDevice } from '../scanning/openDevice.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import { lostEnd, type OutboxEnd } from '../outbox/outboxEnd.js';

const POLL_MS = 500;
const STATUS_DEADLINE_MS = 5000;
/** After a failed capture, paper that did not change is tried again after this. */
const REST_MS = 5000;
/** A feeder whose paper only a scan shows is tried this often. */
export const TRIAL_MS = 15_000;
/** A driver that fails to report its status this many times in a row has lost its device. */
const MOST_FAILURES = 3;

export interface PaperListener {
  /** Whether another sheet may be fed now. */
  ready(): boolean;
  /**
   * The feeder is loaded and may be emptied. The watch is over.
   * @param isTrial only a scan shows whether it is
   */
  onPaper(isTrial: boolean): void;
  /** The device is gone. The watch is over. */
  onLost(end: OutboxEnd): void;
}

/**
 * Watches until there is paper or the device is gone. A device whose paper is `unknown` never counts as loaded, because
 * nothing is fed on suspicion, unless its driver says that a trial does no harm.
 * @param rested after a failed capture: paper already present counts only after it changed, or after a while
 * @returns a function that ends the watch
 */
export function watchPaper(
  { session, known }: OpenDevice,
  clock: Clock,
  rested: boolean,
  listener: PaperListener,
): () => void {
  let ended = false;
  let asking = false;
  let restUntil = rested ? clock.monotonic() + REST_MS : 0;
  const trialAt = rested ? clock.monotonic() + TRIAL_MS : 0;
  let failures = 0;
  let cancel = (): void => undefined;
  let unwatch: (() => void) | undefined;

  const end = (): void => {
    ended = true;
    cancel();
    unwatch?.();
  };
  const lost = (error: unknown): void => {
    end();
    listener.onLost(lostEnd(error));
  };
  const offline = (): void => lost(new ScanError('device-offline', `The scanner ${known.name} is offline.`));
  const askAfter = (ms: number): void => {
    cancel();
    if (!ended) cancel = clock.after(ms, () => void ask());
  };

  const isDue = (isTrial: boolean): boolean => clock.monotonic() >= (isTrial ? trialAt : restUntil);

  const ask = async (): Promise<void> => {
    if (ended || asking) return;
    asking = true;
    const status = await callWithin(clock, STATUS_DEADLINE_MS, `asking ${known.name} for paper`, call =>
      session.status(call),
    ).catch((error: unknown) => error as Error);
    asking = false;
    if (ended) return;
    if (status instanceof Error) {
      if (isGone(status) || ++failures >= MOST_FAILURES) return lost(status);
    } else {
      failures = 0;
      if (!status.online) return offline();
      const isTrial = status.paper === 'unknown' && status.paperByTrial === true;
      if (status.paper !== 'loaded') restUntil = 0;
      if ((isTrial || status.paper === 'loaded') && isDue(isTrial) && listener.ready()) {
        end();
        return listener.onPaper(isTrial);
      }
    }
    askAfter(POLL_MS);
  };

  const onEvent = (event: 'paper' | 'button' | 'offline'): void => {
    if (ended) return;
    if (event === 'offline') return offline();
    if (event === 'paper') restUntil = 0;
    askAfter(0);
  };
  try {
    unwatch = session.watch?.(onEvent);
  } catch {
    // Polling still works.
  }
  if (ended) unwatch?.();
  else askAfter(0);
  return end;
}

/** After these, the device itself must come back; retrying does not help. */
export function isGone(error: unknown): boolean {
  return ['device-offline', 'not-connected'].includes(codeOf(error) ?? '');
}
