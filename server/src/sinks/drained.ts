/** Waits for a client to take what was written to it, however slowly, and ends one that takes nothing. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '@platen/core';

/** A client that takes no byte for so long is ended. */
const STALL_MS = 30_000;

/** Resolves to true when the connection has taken everything, to false when it is gone or stalled; a stalled one is ended. */
export function drained(client: ServerResponse, clock: Clock): Promise<boolean> {
  if (client.destroyed) return Promise.resolve(false);
  if (!client.writableNeedDrain) return Promise.resolve(true);
  return new Promise(resolve => {
    let left = unsent(client);
    let cancel = (): void => undefined;
    const watch = (): void => {
      cancel = clock.after(STALL_MS, () => {
        const now = unsent(client);
        if (now === left) return void client.destroy();
        left = now;
        watch();
      });
    };
    const settle = (taken: boolean) => (): void => {
      cancel();
      client.removeListener('drain', onDrain);
      client.removeListener('close', onClose);
      resolve(taken);
    };
    const onDrain = settle(true);
    const onClose = settle(false);
    client.once('drain', onDrain);
    client.once('close', onClose);
    watch();
  });
}

interface Connection {
  readonly writableLength: number;
  /** Under TLS, the connection that carries it. */
  readonly _parent?: Connection | null;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/**
 * Bytes that the operating system has not taken yet. What Node documents (`bytesWritten`, `writableLength`) changes when
 * a write is over, and a page is one write: only the queue of the lowest handle shrinks as the client reads.
 */
function unsent({ socket }: ServerResponse): number | undefined {
  if (!socket) return undefined;
  const { _parent: carrier } = socket as Connection;
  const { _handle: handle } = carrier ?? (socket as Connection);
  return handle?.writeQueueSize ?? socket.writableLength;
}
