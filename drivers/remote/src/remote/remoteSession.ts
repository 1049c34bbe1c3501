/** A session that is open at the far end. */
import {
  messageOf, readCapabilities, readPage, readStatus, ScanError,
  type Device, type Log, type Page, type PageHead, type ScanOrder, type Session,
} from '@platen/core/plugin';
import { createArrival, type Arrival } from './arrival.js';
import type { Connection, SessionEvent } from './connection.js';
import { createListeners } from './listeners.js';
import { pulled, type Assembly } from './pulled.js';
import { readOrder } from './scanFields.js';

export interface RemoteSessionParts {
  readonly connection: Connection;
  /** The number of the call that opened it. */
  readonly id: number;
  readonly device: Device;
  /** Whether the far end's session tells of events. */
  readonly watches: boolean;
  readonly log: Log;
}

export function remoteSession({ connection, id, device, watches, log }: RemoteSessionParts): Session {
  const watchers = createListeners<[SessionEvent]>(log);
  let watching = 0;
  let closing: Promise<void> | undefined;
  const endEvents = connection.onEvent(id, watchers.tell);
  const assertOpen = (): void => {
    if (closing) throw new ScanError('driver-failed', `The session of ${device.name} was closed.`);
  };

  const unlessLost = (error: unknown): void => {
    if (!connection.lost.aborted) throw error;
  };

  async function close(): Promise<void> {
    endEvents();
    // With the link the far end has closed it already.
    if (!connection.lost.aborted) await connection.call({ verb: 'close', session: id }, () => undefined).catch(unlessLost);
  }

  return {
    device,
    async capabilities({ signal }) {
      assertOpen();
      return connection.call({ verb: 'capabilities', session: id }, answer => readCapabilities(answer.capabilities), { signal });
    },
    async status({ signal }) {
      assertOpen();
      return connection.call({ verb: 'status', session: id }, answer => readStatus(answer.status), { signal });
    },
    ...(watches && {
      watch(onEvent: (event: SessionEvent) => void) {
        if (closing) return () => undefined;
        const end = watchers.add(onEvent);
        if (++watching === 1) connection.send({ watch: id, on: true });
        let ended = false;
        return () => {
          if (ended) return;
          ended = true;
          end();
          if (--watching === 0) connection.send({ watch: id, on: false });
        };
      },
    }),
    scan(order, call) {
      const sent = sendable(order);
      return pulled(connection, () => (assertOpen(), { verb: 'scan', session: id, order: readable(sent) }), call, pagesOf(sent));
    },
    close: () => (closing ??= close()),
  };
}

/** A bound without end is no number of JSON. */
function sendable(order: ScanOrder): ScanOrder {
  return { ...order, maxPixels: Math.min(order.maxPixels, 2 ** 40) };
}

/** What the far end would refuse is refused here, and costs the order only, not the link. */
function readable(order: ScanOrder): ScanOrder {
  try {
    return readOrder(order);
  } catch (error) {
    throw new ScanError('unsupported', `The order is none that a driver takes: ${messageOf(error)}.`, { cause: error });
  }
}

/** Pages: what is said of each, then its bytes. */
function pagesOf({ maxPixels }: ScanOrder): Assembly<Page> {
  let head: PageHead | undefined;
  let arrival: Arrival | undefined;
  return {
    onItem(fields) {
      if (arrival) throw new Error('a page begins before the one before it is whole');
      head = readPage(fields, maxPixels);
      arrival = createArrival(head.bytes);
      return undefined;
    },
    onBand(band) {
      if (!head || !arrival) throw new Error('a band of no page');
      if (!arrival.take(band)) return undefined;
      const page = { ...head.page, data: arrival.data };
      head = arrival = undefined;
      return page;
    },
    place: length => arrival?.place(length),
  };
}
