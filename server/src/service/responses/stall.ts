/** Disconnects a client that reads nothing, but not one that reads slowly. */
import type { Writable } from 'node:stream';
import type { Clock } from '@platen/core';

/** The interval between checks, as a part of the time limit. */
const LOOKS = 30;

/**
 * Destroys the client's connection when it has read nothing for the time limit.
 * @param written counts the completed writes
 * @returns ends the watch
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
  /** Under TLS: the connection below it. */
  readonly _parent?: Connection | null;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/**
 * The bytes that the operating system has not taken yet. Node's documented counters (`bytesWritten`, `writableLength`)
 * change only after a complete write; only the queue of the lowest handle shrinks as the client reads.
 */
function unsent({ socket }: Writable & { readonly socket?: Connection | null }): number | undefined {
  if (!socket) return undefined;
  const { _parent: carrier } = socket;
  const { _handle: handle } = carrier ?? socket;
  return handle?.writeQueueSize ?? socket.writableLength;
}
