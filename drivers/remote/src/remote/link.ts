/** One stream between two ends, from the hellos until it is over; the same at both ends. */
import type { Duplex } from 'node:stream';
import { codeOf, messageOf } from '@platen/core/plugin';
import type { Fields } from '@platen/core/plugin';
import { type Frame, readFrames } from '@platen/driver-kit';
import { helloOf, readHello, type Hello, type Role } from './hello.js';
import { createSender, type Sender } from './sender.js';

/** An end that says nothing for so long is no Platen, or hangs. */
const HELLO_MS = 10_000;

export interface LinkOptions {
  /** Of this end. */
  readonly role: Role;
  readonly hello: Hello;
  readonly helloMs?: number | undefined;
  readonly bandBytes?: number | undefined;
}

/** Whatever throws in here ends the link: what came breaks the protocol. */
export interface LinkListener {
  onHello(theirs: Hello): void;
  onFrame(frame: Frame): void;
  /** Where the bytes of a band go. */
  place(header: Fields, length: number): Uint8Array | undefined;
}

export interface Link {
  readonly sender: Sender;
  /** Resolves, when the stream is closed, with the reason; `refused` where the other end broke the protocol. */
  readonly over: Promise<{ readonly why: string; readonly refused: boolean }>;
  /** Ends it at once. */
  end(why: string): void;
}

export function createLink(stream: Duplex, { role, hello, helloMs = HELLO_MS, bandBytes }: LinkOptions, listener: LinkListener): Link {
  const sender = createSender(stream, bandBytes);
  let ended: string | undefined;
  const end = (why: string): void => {
    ended ??= why;
    stream.destroy();
  };
  stream.on('error', () => undefined); // it reaches the reader, which waits for the stream as long as it is open
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
    let greeted = false;
    const late = setTimeout(() => end(`the other end said no hello within ${helloMs / 1000} s`), helloMs);
    try {
      for await (const frame of readFrames(stream, { place: (header, length) => (greeted ? take(() => listener.place(header, length)) : undefined) })) {
        if (ended !== undefined) break;
        if (greeted) take(() => listener.onFrame(frame));
        else take(() => listener.onHello(readHello(frame.header, role === 'driver' ? 'client' : 'driver')));
        greeted = true;
        clearTimeout(late);
      }
      return 'the other end closed it';
    } catch (error) {
      // Errors of the stream carry a code of the system; what frames are refused for does not.
      refused ||= !isOfSystem(error);
      return messageOf(error);
    } finally {
      clearTimeout(late);
    }
  };
  void sender.send(helloOf(role, hello));
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
