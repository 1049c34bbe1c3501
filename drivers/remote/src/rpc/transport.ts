/** Frames between two ends over one stream, from the handshake until the stream closes; the same code at both ends. */
import type { Duplex } from 'node:stream';
import { codeOf, messageOf } from '@platen/core/plugin';
import type { Fields } from '@platen/core/wire';
import { readFrames, type Frame } from '@platen/driver-kit';
import { handshakeOf, readHandshake, type Handshake, type Role } from './handshake.js';
import { createSender, type Sender } from './sender.js';

/** An end that is silent for so long is not Platen, or hangs. */
const HANDSHAKE_MS = 10_000;

export interface TransportOptions {
  /** Of this end. */
  readonly role: Role;
  readonly handshake: Handshake;
  readonly handshakeMs?: number | undefined;
  readonly bandBytes?: number | undefined;
}

/** Whatever throws here ends the transport: the message breaks the protocol. */
export interface TransportListener {
  onHandshake(theirs: Handshake): void;
  onFrame(frame: Frame): void;
  /** The place of a band's bytes; undefined: a new buffer. */
  place(header: Fields, length: number): Uint8Array | undefined;
}

export interface TransportEnd {
  /** A clause for a sentence: `the other end closed it`. */
  readonly why: string;
  /** The other end broke the protocol. */
  readonly refused: boolean;
}

export interface Transport {
  readonly sender: Sender;
  /** Resolves when the stream is closed. */
  readonly over: Promise<TransportEnd>;
  /** Ends it at once. @param why is what `over` then says */
  end(why: string): void;
}

export function createTransport(
  stream: Duplex,
  { role, handshake, handshakeMs = HANDSHAKE_MS, bandBytes }: TransportOptions,
  listener: TransportListener,
): Transport {
  const sender = createSender(stream, bandBytes);
  let ended: string | undefined;
  const end = (why: string): void => {
    ended ??= why;
    stream.destroy();
  };
  stream.on('error', () => undefined); // the reader below gets it
  stream.on('close', () => sender.close());

  let refused = false;
  const take = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      refused = true;
      throw error;
    }
  };
  const read = async (): Promise<string> => {
    let handshaken = false;
    const late = setTimeout(() => end(`the other end sent no handshake within ${handshakeMs / 1000} s`), handshakeMs);
    try {
      for await (const frame of readFrames(stream, {
        place: (header, length) => (handshaken ? take(() => listener.place(header, length)) : undefined),
      })) {
        if (ended !== undefined) break;
        if (handshaken) take(() => listener.onFrame(frame));
        else take(() => listener.onHandshake(readHandshake(frame.header, role === 'driver' ? 'client' : 'driver')));
        handshaken = true;
        clearTimeout(late);
      }
      return 'the other end closed it';
    } catch (error) {
      // Only errors of the stream carry a code of the operating system.
      refused ||= !isOfSystem(error);
      return messageOf(error);
    } finally {
      clearTimeout(late);
    }
  };
  void sender.send(handshakeOf(role, handshake));
  const over = read().then(why => {
    stream.destroy();
    sender.close();
    return { why: ended ?? why, refused: refused && ended === undefined };
  });
  return { sender, over, end };
}

function isOfSystem(error: unknown): boolean {
  return codeOf(error) === undefined && typeof (error as { code?: unknown } | null)?.code === 'string';
}
