/** The using end of one link: gives every call its number, and every message of the other end to who waits for it. */
import type { Duplex } from 'node:stream';
import { countOf, messageOf, ScanError, wordOf, type Fields } from '@platen/core/plugin';
import type { Frame } from '@platen/driver-kit';
import { readError, reasonFields } from './errorFields.js';
import { ownVersion, type Hello } from './hello.js';
import { createLink, type LinkOptions } from './link.js';

/** Who waits under a number. What it has no method for breaks the protocol; so does whatever a method throws on. */
export interface Receiver {
  onAnswer?(fields: Fields): void;
  onItem?(fields: Fields): void;
  onBand?(data: Uint8Array): void;
  onEnd?(): void;
  /** The call failed, or the link is lost. */
  onFail(error: ScanError): void;
  place?(length: number): Uint8Array | undefined;
}

export type SessionEvent = 'paper' | 'button' | 'offline';
const sessionEvents = ['paper', 'button', 'offline'] as const;

export interface Connection {
  /** Aborted, with a `not-connected` as its reason, when the link is lost. */
  readonly lost: AbortSignal;
  /** @returns the call's number; where the link is lost the receiver was told so */
  begin(fields: object, receiver: Receiver): number;
  send(header: object): void;
  /** Resolves with what is read of the answer; a reader that throws on it ends the link. */
  call<T>(fields: object, read: (answer: Fields, id: number) => T, options?: CallOptions): Promise<T>;
  /** @param session the number of the call that opened it */
  onEvent(session: number, listener: (event: SessionEvent) => void): () => void;
  end(why: string): void;
  /** Resolves when its stream is closed. */
  readonly over: Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** An abort rejects when the other end has answered, so that nothing is under way any more; else at once. */
  readonly settled?: boolean;
  /** Sent after the first message. */
  readonly bytes?: Uint8Array;
}

export interface ConnectionListener {
  onHello(theirs: Hello): void;
  /** Scanners came or went. */
  onDevices(): void;
  onLost(why: string, refused: boolean): void;
}

export type ConnectionOptions = Pick<LinkOptions, 'helloMs' | 'bandBytes'> & { readonly driverId: string };

export function connectOver(stream: Duplex, { driverId, ...options }: ConnectionOptions, listener: ConnectionListener): Connection {
  const receivers = new Map<number, Receiver>();
  const watchers = new Map<number, (event: SessionEvent) => void>();
  const loss = new AbortController();
  let last = 0;
  const own = { role: 'client' as const, hello: { version: ownVersion(), insert: false } };
  const link = createLink(stream, { ...own, ...options }, {
    onHello: listener.onHello,
    onFrame: take,
    place: (header, length) => (header.band === undefined ? undefined : receivers.get(countOf(header, 'band', 1, last))?.place?.(length)),
  });
  const over = link.over.then(({ why, refused }) => {
    const error = new ScanError('not-connected', `The driver ${driverId} is not connected to the program that owns its scanners: ${why}.`);
    loss.abort(error);
    for (const receiver of receivers.values()) receiver.onFail(error);
    receivers.clear();
    listener.onLost(why, refused);
  });

  function receiverOf(header: Fields, name: string): Receiver {
    const receiver = receivers.get(countOf(header, name, 1, last));
    if (!receiver) throw new Error(`${name} of a call that nobody waits for`);
    return receiver;
  }

  function take({ header, data }: Frame): void {
    if (data.length > 0 && header.band === undefined) throw new Error('bytes that no message announced');
    if (header.item !== undefined) need(receiverOf(header, 'item').onItem)(header);
    else if (header.band !== undefined) need(receiverOf(header, 'band').onBand)(data);
    else if (header.answer !== undefined) takeLast(header, 'answer', receiver => need(receiver.onAnswer)(header));
    else if (header.end !== undefined) takeLast(header, 'end', receiver => need(receiver.onEnd)());
    else if (header.fail !== undefined) takeLast(header, 'fail', receiver => receiver.onFail(readError(header)));
    else if (header.event !== undefined) takeEvent(header);
    else throw new Error(`a message of an unknown kind: ${Object.keys(header).slice(0, 5).join(', ')}`);
  }

  /** A receiver that throws stays one that waits: the link is ended, and it is told so. */
  function takeLast(header: Fields, name: string, tell: (receiver: Receiver) => void): void {
    tell(receiverOf(header, name));
    receivers.delete(header[name] as number);
  }

  function takeEvent(header: Fields): void {
    if (header.session === undefined) {
      wordOf(header, 'event', ['devices']);
      return listener.onDevices();
    }
    const event = wordOf(header, 'event', sessionEvents);
    // One that is not watched any more may still have been on its way.
    watchers.get(countOf(header, 'session', 1, last))?.(event);
  }

  function begin(receiver: Receiver, write: (id: number) => Promise<void>): number {
    const id = ++last;
    if (loss.signal.aborted) {
      receiver.onFail(loss.signal.reason as ScanError);
      return id;
    }
    receivers.set(id, receiver);
    // Only what is too long for a frame fails: it is this call's failure and not the link's.
    write(id).catch((error: unknown) => {
      if (receivers.delete(id)) receiver.onFail(new ScanError('unsupported', `This cannot be sent to the program that owns the scanners: ${messageOf(error)}.`));
    });
    return id;
  }

  return {
    lost: loss.signal,
    begin: (fields, receiver) => begin(receiver, id => link.sender.send({ call: id, ...fields })),
    send: header => void link.sender.send(header),
    call: (fields, read, { signal, settled = false, bytes } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        let id = 0;
        const onAbort = (): void => {
          void link.sender.send({ abort: id, ...reasonFields(signal?.reason) });
          if (!settled) reject(signal?.reason as Error);
        };
        const settle = (): void => signal?.removeEventListener('abort', onAbort);
        const receiver: Receiver = {
          onAnswer: answer => (resolve(read(answer, id)), settle()),
          onFail: error => (settle(), reject(signal?.aborted ? (signal.reason as Error) : error)),
        };
        id = begin(receiver, async number => {
          const said = link.sender.send({ call: number, ...fields, ...(bytes && { bytes: bytes.length }) });
          if (bytes) void link.sender.transfer(number, undefined, bytes);
          await said;
        });
        signal?.addEventListener('abort', onAbort, { once: true });
        if (loss.signal.aborted) settle();
      }),
    onEvent(session, onEvent) {
      watchers.set(session, onEvent);
      return () => void watchers.delete(session);
    },
    end: link.end,
    over,
  };
}

/** A message that this kind of call does not get. */
function need<Method>(method: Method | undefined): Method {
  if (method) return method;
  throw new Error('a message that this call does not get');
}
