/** A socket whose bytes arrive in one buffer, used again and again. */
import { connect, type Socket } from 'node:net';

/** More than a socket of Linux holds. */
const BUFFER_BYTES = 256 * 1024;

export interface PooledReader {
  /** To be written to, watched and destroyed; it is not read from. */
  readonly socket: Socket;
  /** Exactly so many bytes, copied; undefined where the socket closes before they are there. */
  readExactly(length: number): Promise<Buffer | undefined>;
  /** What follows, until the socket closes. A chunk is overwritten when the next one is asked for. */
  chunks(): AsyncGenerator<Uint8Array, void>;
}

/**
 * Node's own sockets allocate 64 KiB for each chunk, and a page has four hundred: most of what a page costs is then to
 * collect them.
 * @param path of a Unix socket or named pipe
 */
export function connectPooledReader(path: string): PooledReader {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let held: Uint8Array | undefined;
  let over = false;
  let wake = (): void => undefined;
  // One chunk at a time: false pauses the socket until the next one is asked for.
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
