/** A stream of Server-Sent Events: its head, its comments while it is idle, and its end. */
import type { ServerResponse } from 'node:http';
import { messageOf, settledWithin, type Clock, type Log } from '@platen/core';
import type { EventMessage, FastifyReply } from 'fastify';
import type { Clients } from './clients.js';
import type { Piece } from './pieces.js';

/** An idle connection gets a comment, so that nothing in between takes it for dead. */
const HEARTBEAT_MS = 15_000;
/** When a browser reconnects after it lost its connection. */
export const RETRY_MS = 3000;

export interface StreamTools {
  readonly clients: Clients;
  readonly clock: Clock;
  readonly log: Log;
}

export interface EventStream {
  /** Resolves when the client's connection has taken the pieces. */
  write(pieces: readonly Piece[]): Promise<void>;
  /** The promise's outcome; until then, the stream gets a comment every 15 s. */
  idle<T>(next: Promise<T>): Promise<T>;
}

/**
 * fastify-sse-v2 opens and ends the stream and writes its last event. It makes a string of each event and does not
 * wait for the client, so the other events are written past it.
 * @param events writes the events, and yields the last one
 * @param leave is called when the client is gone or the stream is over, perhaps more than once
 */
export function openEventStream(
  reply: FastifyReply,
  tools: StreamTools,
  events: (stream: EventStream) => AsyncGenerator<EventMessage>,
  leave: () => void,
): void {
  const client = reply.raw;
  client.once('close', leave);
  // Its 'close' may have come before this listener.
  if (client.destroyed) return (reply.hijack(), leave());
  tools.clients.stream(client);
  forbidStoring(client);
  reply.sse(guarded(client, tools, events, leave));
}

/** Never throws, because the library would turn that into an uncaught exception. */
async function* guarded(
  client: ServerResponse,
  { clients, clock, log }: StreamTools,
  events: (stream: EventStream) => AsyncGenerator<EventMessage>,
  leave: () => void,
): AsyncGenerator<EventMessage> {
  const write = (pieces: readonly Piece[]): Promise<void> => clients.write(client, pieces);
  try {
    yield* events({
      write,
      async idle(next) {
        while (!(await settledWithin(next, HEARTBEAT_MS, clock))) await write([': still here\n\n']);
        return next;
      },
    });
  } catch (error) {
    // In the middle of an event, no other can be sent.
    if (!client.destroyed) log.error(`An event stream failed: ${messageOf(error)}`);
    client.destroy();
  } finally {
    leave();
  }
}

/** The library's header would let a browser store scanned pages and revalidate them. */
function forbidStoring(client: ServerResponse): void {
  const writeHead = client.writeHead.bind(client);
  client.writeHead = ((status: number) => {
    client.setHeader('cache-control', 'no-store, no-cache, no-transform');
    return writeHead(status);
  }) as typeof writeHead;
}
