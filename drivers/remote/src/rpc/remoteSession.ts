/** A session that is open at the far end. */
import {
  messageOf,
  ScanError,
  type Call,
  type Device,
  type Log,
  type Page,
  type ScanOrder,
  type Session,
} from '@platen/core/plugin';
import { readPage, type PageHead } from '@platen/core/wire';
import { createBandBuffer, type BandBuffer } from './bandBuffer.js';
import type { RpcClient, SessionEvent } from './client.js';
import { createListeners } from './listeners.js';
import { pullStream, type Assembly } from './pullStream.js';
import { readOrder } from './scanFields.js';
import { sessionCalls, sessionVerbs, type SessionVerb } from './sessionCalls.js';

export interface RemoteSessionParts {
  readonly client: RpcClient;
  /** The number of the call that opened it. */
  readonly id: number;
  readonly device: Device;
  /** The far end's session has `watch`. */
  readonly watches: boolean;
  readonly log: Log;
}

export function remoteSession({ client, id, device, watches, log }: RemoteSessionParts): Session {
  const watchers = createListeners<[SessionEvent]>(log);
  let watching = 0;
  let closing: Promise<void> | undefined;
  const endEvents = client.onEvent(id, watchers.tell);
  const assertOpen = (): void => {
    if (closing) throw new ScanError('driver-failed', `The session of ${device.name} was closed.`);
  };

  const unlessLost = (error: unknown): void => {
    if (!client.lost.aborted) throw error;
  };

  async function ask(verb: SessionVerb, { signal }: Call): Promise<unknown> {
    assertOpen();
    return client.call({ verb, session: id }, answer => sessionCalls[verb](answer[verb]), { signal });
  }
  const answered = Object.fromEntries(sessionVerbs.map(verb => [verb, (call: Call) => ask(verb, call)])) as Pick<
    Session,
    SessionVerb
  >;

  async function close(): Promise<void> {
    endEvents();
    // When the connection was lost, the far end closed the session itself.
    if (!client.lost.aborted) await client.call({ verb: 'close', session: id }, () => undefined).catch(unlessLost);
  }

  return {
    device,
    ...answered,
    ...(watches && {
      watch(onEvent: (event: SessionEvent) => void) {
        if (closing) return () => undefined;
        const end = watchers.add(onEvent);
        if (++watching === 1) client.send({ watch: id, on: true });
        let ended = false;
        return () => {
          if (ended) return;
          ended = true;
          end();
          if (--watching === 0) client.send({ watch: id, on: false });
        };
      },
    }),
    scan(order, call) {
      const sent = sendable(order);
      return pullStream(
        client,
        () => (assertOpen(), { verb: 'scan', session: id, order: readable(sent) }),
        call,
        pagesOf(sent),
      );
    },
    close: () => (closing ??= close()),
  };
}

/** JSON has no infinity. */
function sendable(order: ScanOrder): ScanOrder {
  return { ...order, maxPixels: Math.min(order.maxPixels, 2 ** 40) };
}

/** Refuses here what the far end would refuse: that fails the order only, and not the connection. */
function readable(order: ScanOrder): ScanOrder {
  try {
    return readOrder(order);
  } catch (error) {
    throw new ScanError('unsupported', `This is not an order that a driver takes: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** Each page is one message and then its bytes in bands. */
function pagesOf({ maxPixels }: ScanOrder): Assembly<Page> {
  let head: PageHead | undefined;
  let buffer: BandBuffer | undefined;
  return {
    onItem(fields) {
      if (buffer) throw new Error('a page begins before the one before it is whole');
      head = readPage(fields, maxPixels);
      buffer = createBandBuffer(head.bytes);
      return undefined;
    },
    onBand(band) {
      if (!head || !buffer) throw new Error('a band of no page');
      if (!buffer.take(band)) return undefined;
      const page = { ...head.page, data: buffer.data };
      head = buffer = undefined;
      return page;
    },
    place: length => buffer?.place(length),
  };
}
