/** Keeps the loaded plugins as they are for an answer that uses them while it is sent. */
import type { Registry } from '@platen/core';
import type { FastifyReply } from 'fastify';

/** @returns what is loaded now; none of it is closed before the answer is over */
export function heldFor({ raw }: FastifyReply, registry: Registry): Registry {
  const { software, end } = registry.hold();
  raw.once('close', end);
  // Its 'close' may have come before this listener.
  if (raw.destroyed) end();
  return software;
}
