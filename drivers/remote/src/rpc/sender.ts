/** The outgoing half of a transport: messages first, and between them the bytes of pages, one band of each page in turn. */
import type { Duplex } from 'node:stream';
import { encodeFrame } from '@platen/driver-kit';

/** A message waits for one band at most, so bands are short. */
export const BAND_BYTES = 1024 * 1024;

export interface Sender {
  /**
   * Resolves when the stream has taken the message and has room again, or the transport is over.
   * @throws RangeError if the message is too long for a frame
   */
  send(header: object): Promise<void>;
  /** Sends the header, if there is one, and then the bytes as bands `{ band: id }`. Resolves as `send`, or early when it is cut. */
  transfer(id: number, header: object | undefined, data: Uint8Array, cut?: AbortSignal): Promise<void>;
  /** The transport is over: nothing more goes out, and everything that waits resolves. */
  close(): void;
}

interface Item {
  /** The chunks of its next frame. */
  chunks(): Uint8Array[];
  /** Its last frame was sent, or the rest is not wanted. */
  isOver(): boolean;
  done(): void;
}

export function createSender(stream: Duplex, bandBytes = BAND_BYTES): Sender {
  const messages: Item[] = [];
  const transfers: Item[] = [];
  let pumping = false;
  let closed = false;
  let onRoom = (): void => undefined;
  stream.on('drain', () => onRoom());

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    for (let queue = next(); queue; queue = next()) {
      const item = queue.shift()!;
      stream.cork();
      for (const chunk of item.chunks()) stream.write(chunk);
      stream.uncork();
      const last = item.isOver();
      if (!last) queue.push(item);
      if (stream.writableNeedDrain && !closed) await new Promise<void>(resolve => (onRoom = resolve));
      if (last) item.done();
    }
    pumping = false;
  }

  function next(): Item[] | undefined {
    if (closed) return undefined;
    return messages.length > 0 ? messages : transfers.length > 0 ? transfers : undefined;
  }

  function queued(queue: Item[], item: Omit<Item, 'done'>, cut?: AbortSignal): Promise<void> {
    if (closed || cut?.aborted) return Promise.resolve();
    return new Promise<void>(resolve => {
      const done = (): void => {
        cut?.removeEventListener('abort', leave);
        resolve();
      };
      const whole = { ...item, done };
      const leave = (): void => {
        const at = queue.indexOf(whole);
        if (at >= 0) queue.splice(at, 1);
        done();
      };
      cut?.addEventListener('abort', leave, { once: true });
      queue.push(whole);
      void pump();
    });
  }

  return {
    async send(header) {
      const chunks = encodeFrame(header);
      await queued(messages, { chunks: () => chunks, isOver: () => true });
    },
    async transfer(id, header, data, cut) {
      let head = header && encodeFrame(header);
      let sent = 0;
      const chunks = (): Uint8Array[] => {
        if (head) {
          const first = head;
          head = undefined;
          return first;
        }
        const band = data.subarray(sent, sent + bandBytes);
        sent += band.length;
        return encodeFrame({ band: id }, band);
      };
      if (head || data.length > 0)
        await queued(transfers, { chunks, isOver: () => cut?.aborted === true || sent >= data.length }, cut);
    },
    close() {
      closed = true;
      onRoom();
      for (const item of [...messages.splice(0), ...transfers.splice(0)]) item.done();
    },
  };
}
