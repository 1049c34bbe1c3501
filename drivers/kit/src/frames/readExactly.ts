/** Reads exactly a number of bytes from a stream. */
import type { Duplex } from 'node:stream';

/** In paused mode: the stream never holds more than its own small buffer. @returns undefined if it ends before */
export async function readExactly(stream: Duplex, length: number): Promise<Buffer | undefined> {
  let off = (): void => undefined;
  try {
    return await new Promise<Buffer | undefined>(resolve => {
      const look = (): void => {
        const chunk = stream.read(length) as Buffer | null;
        if (chunk?.length === length) resolve(chunk);
        else if (chunk || stream.readableEnded || stream.destroyed) gone();
      };
      const gone = (): void => resolve(undefined);
      const events = { readable: look, end: gone, close: gone, error: gone };
      for (const [event, listener] of Object.entries(events)) stream.on(event, listener);
      off = () => Object.entries(events).forEach(([event, listener]) => stream.off(event, listener));
      look();
    });
  } finally {
    off();
  }
}
