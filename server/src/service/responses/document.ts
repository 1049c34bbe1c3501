/** Sends a document while it is written. A document that ends is whole; any other is broken off. */
import type { OutgoingHttpHeaders } from 'node:http';
import { ScanError, unlessAborted, type Clock } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clients } from './clients.js';
import { isReceived, send } from './send.js';

export interface DocumentAnswer {
  /** The next request may overwrite a chunk. @param signal is aborted when the client is gone */
  write(signal: AbortSignal): AsyncGenerator<Uint8Array, void>;
  /** Called when the first chunk is there. */
  head(): OutgoingHttpHeaders;
  /** Called after the last chunk; the head names them. */
  readonly trailers?: (() => OutgoingHttpHeaders) | undefined;
  /** Called when the client has taken the whole document. */
  onTaken(): void;
}

/**
 * Sends nothing before the first chunk is there: until then, a failure is an ordinary error. The answer to HEAD is the
 * same without the chunks, so it costs as much as the first one.
 * @throws what writing throws before the first chunk, `internal` if there is none
 */
export async function sendDocument(
  { write, head, trailers, onTaken }: DocumentAnswer,
  { method, raw: { socket } }: FastifyRequest,
  reply: FastifyReply,
  clients: Clients,
  clock: Clock,
): Promise<FastifyReply> {
  const client = reply.raw;
  const gone = new AbortController();
  const { signal } = gone;
  const leave = (): void => gone.abort(new ScanError('cancelled', 'The client disconnected.'));
  client.once('close', leave);
  // Its 'close' may have come before this listener.
  if (client.destroyed) leave();
  const chunks = write(signal);
  // A format may not notice the signal.
  const request = (): Promise<IteratorResult<Uint8Array, void>> => unlessAborted(chunks.next(), signal);
  const end = (): void => void chunks.return().catch(() => undefined);
  let next: IteratorResult<Uint8Array, void>;
  try {
    next = await request();
    if (next.done) throw new ScanError('internal', 'The format wrote an empty document.');
  } catch (error) {
    end();
    if (signal.aborted) return reply.hijack();
    throw error;
  }
  async function* all(): AsyncGenerator<Uint8Array, void> {
    for (; !next.done; next = await request()) yield next.value;
  }
  void reply.headers(head());
  const sent = method === 'HEAD' ? send(reply, [], clients) : send(reply, all(), clients, trailers);
  void sent.then(async isTaken => {
    end();
    if (isTaken && method !== 'HEAD' && (await isReceived(socket, clock))) onTaken();
  });
  return reply;
}
