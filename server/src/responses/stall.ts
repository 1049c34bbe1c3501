/** Ends a client that takes nothing, and leaves one alone that is slow. */
import type { Writable } from 'node:stream';
import type { Clock } from '@platen/core';

/** How often a client is looked at, as a part of the time that it has. */
const LOOKS = 30;

/**
 * Destroys the client when it has taken no byte for so long.
 * @param written counts what it has taken as a whole
 * @returns what ends the watch
 */
export function watchStall(client: Writable, clock: Clock, stallMs: number, written: () => number): () => void {
  let [had, queued, since] = [written(), unsent(client), clock.monotonic()];
  let cancel = (): void => undefined;
  const look = (): void => {
    const [has, queue, now] = [written(), unsent(client), clock.monotonic()];
    if (has !== had || queue !== queued) [had, queued, since] = [has, queue, now];
    else if (now - since >= stallMs) return void client.destroy();
    watch();
  };
  const watch = (): void => void (cancel = clock.after(stallMs / LOOKS, look));
  watch();
  return () => cancel();
}

interface Connection {
  readonly writableLength: number;
  /** Under TLS, the connection that carries it. */
  readonly _parent?: Connection | null;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/**
 * Bytes that the operating system has not taken yet. What Node documents (`bytesWritten`, `writableLength`) changes when
 * a write is over: only the queue of the lowest handle shrinks as the client reads.
 */
function unsent({ socket }: Writable & { readonly socket?: Connection | null }): number | undefined {
  if (!socket) return undefined;
  const { _parent: carrier } = socket;
  const { _handle: handle } = carrier ?? socket;
  return handle?.writeQueueSize ?? socket.writableLength;
}
