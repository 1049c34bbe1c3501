/** The calling end of one transport: numbers the calls, and gives each message of the other end to the call it answers. */
import type { Duplex } from 'node:stream';
import { messageOf, ScanError } from '@platen/core/plugin';
import { countOf, wordOf, type Fields } from '@platen/core/wire';
import type { Frame } from '@platen/driver-kit';
import { readError, reasonFields } from './errorFields.js';
import { ownVersion, type Handshake } from './handshake.js';
import { createTransport, type TransportEnd, type TransportOptions } from './transport.js';

/** Who waits for the messages of one call. A message that it has no method for, or that a method throws on, breaks the protocol. */
export interface Receiver {
  onAnswer?(fields: Fields): void;
  onItem?(fields: Fields): void;
  onBand?(data: Uint8Array): void;
  onEnd?(): void;
  /** The call failed, or the connection is lost. */
  onFail(error: ScanError): void;
  place?(length: number): Uint8Array | undefined;
}

export type SessionEvent = 'paper' | 'button' | 'offline';
const sessionEvents = ['paper', 'button', 'offline'] as const;

export interface RpcClient {
  /** Aborted when the connection is lost; the reason is a `not-connected`. */
  readonly lost: AbortSignal;
  /** @returns the call's number. Where the connection is lost, `onFail` was called before it returns */
  begin(fields: object, receiver: Receiver): number;
  send(header: object): void;
  /** Resolves with what `read` makes of the answer; where `read` throws, the connection ends. */
  call<T>(fields: object, read: (answer: Fields, id: number) => T, options?: CallOptions): Promise<T>;
  /** @param session the number of the call that opened it */
  onEvent(session: number, listener: (event: SessionEvent) => void): () => void;
  end(why: string): void;
  /** Resolves when the stream is closed. */
  readonly over: Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** An abort rejects only when the other end has answered, so that nothing is left under way; absent: at once. */
  readonly settled?: boolean;
  /** Sent in bands after the first message. */
  readonly bytes?: Uint8Array;
}

export interface RpcClientListener {
  onHandshake(theirs: Handshake): void;
  /** Scanners came or went. */
  onDevices(): void;
  onLost(end: TransportEnd): void;
}

export type RpcClientOptions = Pick<TransportOptions, 'handshakeMs' | 'bandBytes'> & {
  /** For the sentence of a connection that is lost. */
  readonly driverId: string;
};

export function createRpcClient(
  stream: Duplex,
  { driverId, ...limits }: RpcClientOptions,
  listener: RpcClientListener,
): RpcClient {
  const receivers = new Map<number, Receiver>();
  const watchers = new Map<number, (event: SessionEvent) => void>();
  const loss = new AbortController();
  let last = 0;
  const handshake = { version: ownVersion(), insert: false };
  const transport = createTransport(
    stream,
    { role: 'client', handshake, ...limits },
    {
      onHandshake: listener.onHandshake,
      onFrame: take,
      place: (header, length) =>
        header.band === undefined ? undefined : receivers.get(countOf(header, 'band', 1, last))?.place?.(length),
    },
  );
  const over = transport.over.then(ending => {
    const error = new ScanError(
      'not-connected',
      `The driver ${driverId} is not connected to the program that owns its scanners: ${ending.why}.`,
    );
    loss.abort(error);
    for (const receiver of receivers.values()) receiver.onFail(error);
    receivers.clear();
    listener.onLost(ending);
  });

  function receiverOf(header: Fields, name: string): Receiver {
    const receiver = receivers.get(countOf(header, name, 1, last));
    if (!receiver) throw new Error(`${name} for a call that is not pending`);
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

  /** A receiver that throws still waits: the connection ends, and the receiver is rejected. */
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
    // An event may have been on its way when the watch ended.
    watchers.get(countOf(header, 'session', 1, last))?.(event);
  }

  function begin(receiver: Receiver, write: (id: number) => Promise<void>): number {
    const id = ++last;
    if (loss.signal.aborted) {
      receiver.onFail(loss.signal.reason as ScanError);
      return id;
    }
    receivers.set(id, receiver);
    // Only a message too long for a frame fails. That fails this call, and not the connection.
    write(id).catch((error: unknown) => {
      if (receivers.delete(id))
        receiver.onFail(
          new ScanError(
            'unsupported',
            `This cannot be sent to the program that owns the scanners: ${messageOf(error)}.`,
          ),
        );
    });
    return id;
  }

  return {
    lost: loss.signal,
    begin: (fields, receiver) => begin(receiver, id => transport.sender.send({ call: id, ...fields })),
    send: header => void transport.sender.send(header),
    call: (fields, read, { signal, settled = false, bytes } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        let id = 0;
        const onAbort = (): void => {
          void transport.sender.send({ abort: id, ...reasonFields(signal?.reason) });
          if (!settled) reject(signal?.reason as Error);
        };
        const settle = (): void => signal?.removeEventListener('abort', onAbort);
        const receiver: Receiver = {
          onAnswer: answer => (resolve(read(answer, id)), settle()),
          onFail: error => (settle(), reject(signal?.aborted ? (signal.reason as Error) : error)),
        };
        id = begin(receiver, async number => {
          const said = transport.sender.send({ call: number, ...fields, ...(bytes && { bytes: bytes.length }) });
          if (bytes) void transport.sender.transfer(number, undefined, bytes);
          await said;
        });
        signal?.addEventListener('abort', onAbort, { once: true });
        if (loss.signal.aborted) settle();
      }),
    onEvent(session, onEvent) {
      watchers.set(session, onEvent);
      return () => void watchers.delete(session);
    },
    end: transport.end,
    over,
  };
}

/** A message that this kind of call does not get. */
function need<Method>(method: Method | undefined): Method {
  if (method) return method;
  throw new Error('a message that this call does not get');
}
