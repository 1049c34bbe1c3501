/** The sessions that one link has opened: what is open belongs to the link, and ends with it. */
import { setImmediate as turn } from 'node:timers/promises';
import { messageOf, ScanError, type Driver, type Log, type Session } from '@platen/core/plugin';
import type { Events } from './events.js';
import type { ServedStream } from './servedStream.js';

interface Served {
  readonly session: Session;
  /** Those that are not over. */
  readonly scans: Set<ServedStream>;
  endWatch?: (() => void) | undefined;
  closing?: Promise<void>;
}

export interface ServedSessions {
  /** @param id under which the other end knows it. @returns what it is told. @throws what the driver says */
  open(id: number, deviceId: string, signal: AbortSignal): Promise<object>;
  /** @throws `driver-failed` where it was closed */
  get(id: number): Session;
  /** Those that are not over, to be kept by whoever begins and ends them. */
  scansOf(id: number): Set<ServedStream>;
  watch(id: number, on: boolean): void;
  close(id: number): Promise<void>;
  /** Those that are open; no failure gets out. */
  closeAll(): Promise<void>;
  /** Resolves when nothing is being opened any more: what was abandoned meanwhile is closed again. */
  settled(): Promise<void>;
}

export function createServedSessions(driver: Driver, events: Events, log: Log): ServedSessions {
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
      // What the driver has to say of its scans itself comes first.
      await turn();
      for (const scan of served.scans) scan.cut(new ScanError('cancelled', 'The session was closed.'));
    }
  }

  const sessions: ServedSessions = {
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
        await sessions.close(id).catch((error: unknown) => log.warn(`${session.device.name} did not close: ${messageOf(error)}`));
      });
      await Promise.all(closed);
    },
    async settled() {
      await Promise.allSettled(opening);
    },
  };
  return sessions;
}
