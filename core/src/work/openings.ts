/** A driver's open devices: one session each, and no leftovers of an abandoned opening. */
import type { Call, Session } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import { systemClock, type Clock } from '../time/clock.js';
import { eitherSignal, settledWithin, unlessAborted } from '../time/wait.js';

/** A session that does not close within this frees its device nevertheless. Core waits 5 s for it. */
const CLOSE_MS = 4500;

/** A resource of a session: a helper process, a network client. */
export interface OpenedResource {
  close(): Promise<void> | void;
  /** Closes it at once, whatever it is doing. Absent: `close` does. @param why for the log */
  kill?(why: string): void;
}

export interface Opening {
  /** Aborted when the caller gave up or the driver was closed. */
  readonly ended: AbortSignal;
  /** Takes over a resource of the session: closed with the session, killed if the opening is abandoned. */
  use<R extends OpenedResource>(resource: R): R;
  /** For the session: call it when the session is closed. */
  onClose(): Promise<void>;
}

export interface Openings {
  /** The driver's scanners, as named in sentences: `SANE's scanners`. */
  readonly scanners: string;
  /** Ids of devices that are open or opening. */
  isInUse(deviceId: string): boolean;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Aborted when the driver is closed. */
  readonly closed: AbortSignal;
  /** @throws `busy`; the error of `start`; the reason if the opening is abandoned, after its resources are freed */
  open(deviceId: string, call: Call, start: (opening: Opening) => Promise<Session>): Promise<Session>;
  /** Closes the sessions. */
  close(): Promise<void>;
}

export function createOpenings(scanners: string, clock: Clock = systemClock): Openings {
  const sessions = new Map<string, Session>();
  /** Devices that are open or opening; `free` resolves when its opening was given up and everything is closed. */
  const inUse = new Map<string, { readonly ended: AbortSignal; readonly free: Promise<void> }>();
  const closing = new AbortController();

  /** @throws the resource's error; `timeout` for one that hangs: the next opening does not wait for it */
  async function closeWithin(used: OpenedResource | undefined, name: string): Promise<void> {
    const closed = (async () => used?.close())();
    if (await settledWithin(closed, CLOSE_MS, clock)) return closed;
    used?.kill?.('it did not close');
    throw new ScanError('timeout', `"${name}" did not close within ${CLOSE_MS / 1000} s.`);
  }

  return {
    scanners,
    isInUse: deviceId => inUse.has(deviceId),
    sessions,
    closed: closing.signal,
    async open(deviceId, { signal }, start) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const before = sessions.has(deviceId) ? undefined : inUse.get(deviceId);
      if (before?.ended.aborted) await unlessAborted(before.free, signal);
      if (inUse.has(deviceId))
        throw new ScanError('busy', `"${sessions.get(deviceId)?.device.name ?? deviceId}" is already open.`);
      const { signal: ended, release } = eitherSignal(signal, closing.signal);
      let freed = (): void => undefined;
      inUse.set(deviceId, { ended, free: new Promise(resolve => (freed = resolve)) });
      let used: OpenedResource | undefined;
      const opening = start({
        ended,
        use: resource => (used = resource),
        async onClose() {
          try {
            await closeWithin(used, sessions.get(deviceId)?.device.name ?? deviceId);
          } finally {
            sessions.delete(deviceId);
            inUse.delete(deviceId);
          }
        },
      }).then(session => {
        sessions.set(deviceId, session);
        return session;
      });
      try {
        return await unlessAborted(opening, ended);
      } catch (error) {
        if (ended.aborted) used?.kill?.('opening the scanner was abandoned');
        await opening.then(
          session => session.close(),
          () => used?.close(),
        );
        inUse.delete(deviceId);
        freed();
        throw ended.aborted ? ended.reason : error;
      } finally {
        release();
      }
    },
    async close() {
      closing.abort(new ScanError('driver-failed', `The driver of ${scanners} was closed.`));
      await Promise.allSettled([...sessions.values()].map(session => session.close()));
    },
  };
}
