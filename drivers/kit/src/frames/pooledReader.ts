/** A socket that reads into one reused buffer. */
import { connect, type Socket } from 'node:net';

/** More than a Linux socket holds. */
const BUFFER_BYTES = 256 * 1024;

export interface PooledReader {
  /** For writing, events and destroying; do not read from it. */
  readonly socket: Socket;
  /** Exactly this many bytes, copied; undefined if the socket closes before they arrive. */
  readExactly(length: number): Promise<Buffer | undefined>;
  /** The rest, until the socket closes. A chunk is overwritten when the next one is read. */
  chunks(): AsyncGenerator<Uint8Array, void>;
}

/**
 * Node's own sockets allocate 64 KiB for each chunk, and a page has 400 of them: most of the cost of a page is then
 * garbage collection.
 * @param path of a Unix socket or named pipe
 */
export function connectPooledReader(path: string): PooledReader {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let held: Uint8Array | undefined;
  let over = false;
  let wake = (): void => undefined;
  // One chunk at a time: false pauses the socket until the next read.
  const callback = (length: number): boolean => {
    held = buffer.subarray(0, length);
    wake();
    return false;
  };
  const socket = connect({ path, onread: { buffer, callback } });
  socket.on('close', () => {
    over = true;
    wake();
  });

  async function next(): Promise<Uint8Array | undefined> {
    if (!held && !over) socket.resume();
    while (!held && !over) await new Promise<void>(resolve => (wake = resolve));
    const chunk = held;
    held = undefined;
    return chunk;
  }

  return {
    socket,
    async readExactly(length) {
      const bytes = Buffer.alloc(length);
      for (let filled = 0; filled < length;) {
        const chunk = await next();
        if (!chunk) return undefined;
        const taken = chunk.subarray(0, length - filled);
        bytes.set(taken, filled);
        filled += taken.length;
        if (taken.length < chunk.length) held = chunk.subarray(taken.length);
      }
      return bytes;
    },
    async *chunks() {
      for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
    },
  };
}
