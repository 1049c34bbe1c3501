/** Tells work that nobody waits for its answer any more. */
import type { FastifyReply } from 'fastify';

/** Aborted when the client left, or has its answer. */
export function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  // Its 'close' may have come before this listener.
  if (raw.destroyed) gone.abort();
  return gone.signal;
}
