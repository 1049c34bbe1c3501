/** Sends auto-scan's pages as Server-Sent Events, one event per page, as fast as the client reads them. */
import type { ServerResponse } from 'node:http';
import {
  messageOf,
  settledWithin,
  type Clock,
  type KeptBytes,
  type KeptPage,
  type Log,
  type OutboxEnd,
  type OutboxReader,
} from '@platen/core';
import type { EventMessage, FastifyReply } from 'fastify';
import { imageFacts } from '../http/dto/image.js';
import type { ForPages } from '../http/forPages.js';
import type { Clients } from './clients.js';
import { SLICE_BYTES } from './pieces.js';

/** An idle connection gets a comment, so that nothing in between takes it for dead. */
const HEARTBEAT_MS = 15_000;
/** When a browser reconnects after it lost its connection. */
export const RETRY_MS = 3000;

export interface ImageEventsTools {
  readonly clients: Clients;
  readonly clock: Clock;
  readonly log: Log;
  readonly forPages: ForPages;
}

/** @param report adds a code to the last event: why the stream ends */
export type ImageEvents = (reader: OutboxReader<KeptPage>, reply: FastifyReply, report: boolean) => void;

/**
 * fastify-sse-v2 opens and ends the stream and writes its last event. It makes a string of each event, so pages are
 * written past it, piece by piece.
 */
export function createImageEvents(tools: ImageEventsTools): ImageEvents {
  return (reader, reply, report) => {
    const client = reply.raw;
    client.once('close', () => reader.leave());
    // Its 'close' may have come before this listener.
    if (client.destroyed) return (reply.hijack(), reader.leave());
    tools.clients.stream(client);
    forbidStoring(client);
    reply.sse(messages(reader, client, tools, report));
  };
}

/** The library's header would let a browser store scanned pages and revalidate them. */
function forbidStoring(client: ServerResponse): void {
  const writeHead = client.writeHead.bind(client);
  client.writeHead = ((status: number) => {
    client.setHeader('cache-control', 'no-store, no-cache, no-transform');
    return writeHead(status);
  }) as typeof writeHead;
}

/**
 * Writes the pages, and yields the stream's last event to the library. Never throws, because the library would turn
 * that into an uncaught exception. An event counts as taken when the client's connection has taken its bytes; only then
 * is the next one requested.
 */
async function* messages(
  reader: OutboxReader<KeptPage>,
  client: ServerResponse,
  tools: ImageEventsTools,
  report: boolean,
): AsyncGenerator<EventMessage> {
  const { clients, clock, log, forPages } = tools;
  const last = ({ event, reason, message }: OutboxEnd): EventMessage => {
    const said = forPages(message);
    const data = event === 'error' ? { error: said } : { message: said };
    return { event, data: JSON.stringify(report ? { ...data, code: reason } : data) };
  };
  const { events } = reader;
  try {
    for (;;) {
      const next = events.next();
      while (!(await settledWithin(next, HEARTBEAT_MS, clock))) await clients.write(client, [': still here\n\n']);
      const event = await next;
      if (event.done) return;
      if (event.value.kind === 'end') {
        const { end, id } = event.value;
        return yield { ...(id !== undefined && { id }), ...last(end) };
      }
      const { id, value } = event.value.item;
      const bytes = await begun(value.bytes).catch((error: unknown) => error as Error);
      if (bytes instanceof Error) {
        // A page that is discarded while it is read is not a failure; the end comes next.
        if (reader.discarded) continue;
        log.error(`An event stream failed: ${messageOf(bytes)}`);
        const message = "Could not read the pages back. See the service's log.";
        return yield last({ event: 'error', reason: 'storage-failed', message });
      }
      try {
        const facts = JSON.stringify(imageFacts(value.page, bytes.size, value.report));
        await clients.write(client, [
          `id: ${id}\nevent: image\ndata: ${facts.slice(0, -1)},"base64Data":"`,
          bytes,
          '"}\n\n',
        ]);
      } finally {
        await bytes.close();
      }
    }
  } catch (error) {
    // In the middle of a page, no event can be sent.
    if (!client.destroyed) log.error(`An event stream failed: ${messageOf(error)}`);
    client.destroy();
  } finally {
    reader.leave();
  }
}

/** Reads the first slice of the bytes: if that fails, nothing has been sent yet. */
async function begun(bytes: KeptBytes): Promise<KeptBytes & { close(): Promise<void> }> {
  const slices = bytes.read(SLICE_BYTES)[Symbol.asyncIterator]();
  let slice = await slices.next();
  return {
    size: bytes.size,
    async *read() {
      for (; !slice.done; slice = await slices.next()) yield slice.value;
    },
    close: async () => void (await slices.return?.()),
  };
}
