/** Sends an answer piece by piece, at its client's pace. */
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { messageOf, settledWithin, type Clock } from '@platen/core';
import type { FastifyReply } from 'fastify';
import type { Clients } from './clients.js';
import type { Piece } from './pieces.js';

/**
 * Sends the reply's head and the pieces. If it cannot finish, the answer is broken off: its status was sent.
 * @param pieces a list, or pieces that are still made: while the client waits for the next one, it has read everything,
 *   and may wait as long as that takes
 * @param trailers called after the last piece; the head names them
 * @returns whether the client has taken everything; never rejects
 */
export async function send(
  reply: FastifyReply,
  pieces: readonly Piece[] | AsyncIterable<Piece>,
  clients: Clients,
  trailers?: () => OutgoingHttpHeaders,
): Promise<boolean> {
  reply.hijack();
  const { raw: client } = reply;
  try {
    client.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    if (Symbol.asyncIterator in pieces) for await (const piece of pieces) await clients.write(client, [piece]);
    else await clients.write(client, pieces);
    if (trailers) client.addTrailers(trailers());
    client.end();
    return true;
  } catch (error) {
    if (!client.destroyed) {
      reply.log.error(`An answer was broken off: ${messageOf(error)}`);
      client.destroy();
    }
    return false;
  }
}

/** How long the system may take to deliver what it has buffered of an answer, before the answer counts as received. */
export const RECEIPT_MS = 5000;

/**
 * Waits for what the system still holds of an answer that was sent: up to some megabytes.
 * @param socket a request that was injected has none that ends
 * @returns false if the client broke its connection off; a client that closes with bytes unread does (RFC 1122, 4.2.2.13)
 */
export async function isReceived(socket: Socket, clock: Clock): Promise<boolean> {
  if (!(socket instanceof Socket)) return true;
  const over = new AbortController();
  const closed = socket.destroyed ? Promise.resolve() : once(socket, 'close', { signal: over.signal });
  await settledWithin(closed, RECEIPT_MS, clock);
  // A connection can serve many answers: nothing of this one stays on it.
  over.abort();
  return socket.errored === null;
}
