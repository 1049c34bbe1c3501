/** The open scanner of one lane: opened, leased to a scan, and closed on request or when idle. */
import type { Call } from '../contract/driver.js';
import { asDriverError, messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { Devices, KnownDevice } from '../devices/devices.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';
import { createNotifier } from '../time/notifier.js';
import { isSame, openDevice, type OpenDevice } from './openDevice.js';
import { stepSource, type SourceEffect, type SourceEvent, type SourceState } from './sourceMachine.js';

const CLOSE_DEADLINE_MS = 5000;

/** The session's state after a scan: usable, to be closed, or to be closed and reopened. */
export type SessionOutcome = 'usable' | 'gone' | 'reopen';

export interface Lease extends OpenDevice {
  /** Returns the scanner. One that was opened only for this scan is closed. */
  end(outcome: SessionOutcome): Promise<void>;
}

export interface OpenScanner {
  readonly state: SourceState;
  readonly current: OpenDevice | undefined;
  /**
   * Opens it to stay open between scans. Succeeds if it is open; closes another one of the same lane first.
   * @throws `busy`, or the driver's error
   */
  open(known: KnownDevice, call: Call): Promise<void>;
  /** @throws `busy` while it scans */
  close(): Promise<void>;
  /** It need not stay open between scans any more: it is closed now, or when its scan or its last use ends. */
  letGo(): Promise<void>;
  /** Leases the scanner for one scan and opens it if needed. @throws `busy`, or the driver's error */
  lease(known: KnownDevice, call: Call): Promise<Lease>;
  /** Resolves when it is not being opened or closed; never rejects. */
  still(): Promise<void>;
  /** It stays open while it is used without scanning. Returns a function that ends the use. */
  use(): () => Promise<void>;
}

export interface OpenScannerParts {
  readonly devices: Devices;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds without use before the open scanner is closed. */
  readonly idleMs: number;
}

export function createOpenScanner(parts: OpenScannerParts): OpenScanner {
  const { devices, clock, log, idleMs } = parts;
  let state: SourceState = 'closed';
  let current: OpenDevice | undefined;
  /** Whether a client opened it to stay open. */
  let isHeld = false;
  let lettings = 0; // An opening that ends after another letting go does not hold it again.
  let closing: Promise<void> | undefined;
  const users = new Set<symbol>();
  const change = createNotifier();
  let cancelIdle = (): void => undefined;

  const send = async (event: SourceEvent): Promise<void> => {
    const step = stepSource(state, event);
    if ('refused' in step) throw new ScanError(step.refused, refusal(state, current));
    state = step.state;
    change.notify();
    const has = (effect: SourceEffect): boolean => step.effects.includes(effect);
    if (has('stop-idle') || has('start-idle')) cancelIdle();
    if (has('start-idle')) startIdle();
    if (has('close-session')) await (closing = closeSession().finally(() => (closing = undefined)));
  };

  const closeSession = async (): Promise<void> => {
    if (current) await closeDevice(current, parts);
    current = undefined;
    await send('closed');
  };

  const startIdle = (): void => void (cancelIdle = clock.after(idleMs, () => void closeIdle()));
  const closeIdle = async (): Promise<void> => {
    if (state !== 'open') return;
    if (users.size > 0) return startIdle();
    isHeld = false;
    log.info(`The scanner ${current?.known.name} was closed: unused for ${idleMs / 60_000} minutes.`);
    await send('close');
  };

  const stays = (): boolean => isHeld || users.size > 0;
  const closeUnlessStays = async (): Promise<void> => void (state === 'open' && !stays() && (await send('close')));

  /** Leaves the state `open` and continues synchronously, so that no other call intervenes. */
  const openSession = async (known: KnownDevice, call: Call): Promise<OpenDevice> => {
    if (state === 'open' && current && !isSame(current.known, known)) {
      isHeld = false;
      await send('close');
    }
    await send('open');
    if (current) return current;
    try {
      current = await openDevice(known, call, { devices, clock });
    } catch (error) {
      await send('failed');
      throw asDriverError(error);
    }
    const opened = current;
    void send('opened');
    return opened;
  };

  return {
    get state() {
      return state;
    },
    get current() {
      return current;
    },
    async open(known, call) {
      const before = lettings;
      // Auto-scan has it: it is open.
      const isCapturing = state === 'scanning' && current !== undefined && isSame(current.known, known);
      if (!isCapturing) await openSession(known, call);
      isHeld = before === lettings;
      await closeUnlessStays();
    },
    async close() {
      await (closing ?? send('close'));
      isHeld = false;
    },
    async letGo() {
      lettings++;
      isHeld = false;
      await closeUnlessStays();
    },
    async lease(known, call) {
      const isOpen = state === 'open' && current !== undefined && isSame(current.known, known);
      const leased = isOpen && current ? current : await openSession(known, call);
      await send('scan');
      const resume = devices.hold(leased.known.driver);
      let ended = false;
      return {
        ...leased,
        async end(outcome) {
          if (ended) return;
          ended = true;
          resume();
          // Both steps are synchronous: no scan can lease a scanner that is about to be closed.
          const back = send(outcome === 'usable' ? 'scanned' : 'lost');
          await (outcome === 'usable' ? closeUnlessStays() : back);
          if (outcome === 'reopen' && stays()) await reopen(leased.known);
          else if (outcome !== 'usable') isHeld = false;
        },
      };
    },
    async still() {
      while (state === 'opening' || state === 'closing') await change.wait();
    },
    use: () => useIn(users, closeUnlessStays),
  };

  async function reopen(known: KnownDevice): Promise<void> {
    if (state !== 'closed') return;
    await openSession(known, { signal: new AbortController().signal }).catch((error: unknown) => {
      isHeld = false;
      log.warn(`The scanner ${known.name} could not be reopened: ${messageOf(error)}`);
    });
  }
}

/** @returns a function that ends the use */
function useIn(users: Set<symbol>, onEnd: () => Promise<void>): () => Promise<void> {
  const user = Symbol('user');
  users.add(user);
  return () => {
    users.delete(user);
    return onEnd();
  };
}

async function closeDevice({ known, session }: OpenDevice, { clock, log }: OpenScannerParts): Promise<void> {
  try {
    await callWithin(clock, CLOSE_DEADLINE_MS, `closing ${known.name}`, () => session.close());
  } catch (error) {
    log.warn(`The scanner ${known.name} did not close: ${messageOf(error)}`);
  }
}

function refusal(state: SourceState, current: OpenDevice | undefined): string {
  const name = current ? `The scanner ${current.known.name}` : 'A scanner';
  if (state === 'scanning') return `${name} is scanning. Try again when the scan has finished, or cancel it.`;
  if (state === 'closed') return 'No scanner is open.';
  return `${name} is being ${state === 'opening' ? 'opened' : 'closed'}. Try again in a moment.`;
}
