/** The sessions that one connection has opened: they belong to it, and end with it. */
import { setImmediate as turn } from 'node:timers/promises';
import { messageOf, ScanError, type Driver, type Log, type Session } from '@platen/core/plugin';
import type { Events } from './events.js';
import type { ServerStream } from './serverStream.js';

interface Served {
  readonly session: Session;
  /** The scans that are not over. */
  readonly scans: Set<ServerStream>;
  endWatch?: (() => void) | undefined;
  closing?: Promise<void>;
}

export interface ServerSessions {
  /** @param id the number of the call. @returns the fields of the answer. @throws what the driver throws */
  open(id: number, deviceId: string, signal: AbortSignal): Promise<object>;
  /** @throws `driver-failed` if the session was closed */
  get(id: number): Session;
  /** The running scans, added and removed by the code that begins and ends them. */
  scansOf(id: number): Set<ServerStream>;
  watch(id: number, on: boolean): void;
  close(id: number): Promise<void>;
  /** Never rejects: failures are logged. */
  closeAll(): Promise<void>;
  /** Resolves when no `open` is under way: an abandoned one has closed its session again. */
  settled(): Promise<void>;
}

export function createServerSessions(driver: Driver, events: Events, log: Log): ServerSessions {
  const all = new Map<number, Served>();
  const opening = new Set<Promise<unknown>>();

  async function openSession(id: number, deviceId: string, signal: AbortSignal): Promise<object> {
    const session = await driver.open(deviceId, { signal });
    try {
      signal.throwIfAborted();
      const { device } = session;
      all.set(id, { session, scans: new Set() });
      return { device, watch: session.watch !== undefined };
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async function closeSession(id: number): Promise<void> {
    const served = all.get(id)!;
    served.endWatch?.();
    try {
      await served.session.close();
      all.delete(id);
    } finally {
      // Let the driver's own last message of each scan come first.
      await turn();
      for (const scan of served.scans) scan.cut(new ScanError('cancelled', 'The session was closed.'));
    }
  }

  const sessions: ServerSessions = {
    async open(id, deviceId, signal) {
      const opened = openSession(id, deviceId, signal);
      opening.add(opened);
      try {
        return await opened;
      } finally {
        opening.delete(opened);
      }
    },
    get(id) {
      const served = all.get(id);
      if (served) return served.session;
      throw new ScanError('driver-failed', 'The session was closed.');
    },
    scansOf: id => all.get(id)?.scans ?? new Set(),
    watch(id, on) {
      const served = all.get(id);
      if (!served || on === (served.endWatch !== undefined)) return;
      served.endWatch?.();
      served.endWatch = on ? served.session.watch?.(event => events.tell(event, id)) : undefined;
    },
    async close(id) {
      const served = all.get(id);
      if (!served) return;
      await (served.closing ??= closeSession(id));
    },
    async closeAll() {
      const closed = [...all].map(async ([id, { session }]) => {
        await sessions
          .close(id)
          .catch((error: unknown) => log.warn(`${session.device.name} did not close: ${messageOf(error)}`));
      });
      await Promise.all(closed);
    },
    async settled() {
      await Promise.allSettled(opening);
    },
  };
  return sessions;
}
