/** An iterator over a call of the other end: every pull is one credit there, and nothing moves without one. */
import type { ScanError } from '@platen/core/plugin';
import type { Fields } from '@platen/core/wire';
import type { RpcClient } from './client.js';
import { reasonFields } from './errorFields.js';

/** Puts items together from messages. A method that throws ends the connection: the message breaks the protocol. */
export interface Assembly<T> {
  /** @returns the item, if this message completes it */
  onItem(fields: Fields): T | undefined;
  /** @returns the item, if these bytes complete it */
  onBand?(data: Uint8Array): T | undefined;
  place?(length: number): Uint8Array | undefined;
}

export interface PullCall {
  readonly signal: AbortSignal;
  readonly stop?: AbortSignal;
}

interface Waiter<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}

/** @param fields of the message that begins the call; called at the first pull, may throw instead */
export function pullStream<T>(
  client: RpcClient,
  fields: () => object,
  { signal, stop }: PullCall,
  assembly: Assembly<T>,
): AsyncIterableIterator<T> {
  const waiters: Waiter<T>[] = [];
  const leavers: Waiter<T>[] = [];
  let state: 'new' | 'open' | 'over' = 'new';
  let id = 0;
  let left = false;
  /** A failure that arrived without a pending pull: for the next pull. */
  let untold: { readonly error: unknown } | undefined;
  const done = { done: true, value: undefined } as const;

  const onAbort = (): void => client.send({ abort: id, ...reasonFields(signal.reason) });
  const onStop = (): void => client.send({ stop: id });

  const give = (value: T | undefined): void => {
    if (value !== undefined) waiters.shift()?.resolve({ done: false, value });
  };
  const wanted = (): void => {
    if (waiters.length === 0) throw new Error('something arrived that was not pulled');
  };
  const end = (failure?: ScanError): void => {
    state = 'over';
    signal.removeEventListener('abort', onAbort);
    stop?.removeEventListener('abort', onStop);
    const error = signal.aborted ? (signal.reason as unknown) : failure;
    const [first, ...others] = waiters.splice(0);
    if (error === undefined) first?.resolve(done);
    else if (first) first.reject(error);
    else if (leavers.length === 0) untold = { error };
    for (const each of others) each.resolve(done);
    for (const each of leavers.splice(0)) {
      if (failure && !signal.aborted && !first) each.reject(failure);
      else each.resolve(done);
    }
  };

  const begin = (): void => {
    const message = fields();
    state = 'open';
    id = client.begin(message, {
      onItem: its => (wanted(), give(assembly.onItem(its))),
      ...(assembly.onBand && { onBand: (data: Uint8Array) => (wanted(), give(assembly.onBand?.(data))) }),
      onEnd: () => end(),
      onFail: end,
      place: length => assembly.place?.(length),
    });
    if (isOver()) return;
    signal.addEventListener('abort', onAbort, { once: true });
    stop?.addEventListener('abort', onStop, { once: true });
    if (stop?.aborted) onStop();
  };
  const isOver = (): boolean => state === 'over';

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (state === 'new') {
        try {
          signal.throwIfAborted();
          begin();
        } catch (error) {
          state = 'over';
          throw error;
        }
      }
      if (isOver()) {
        const told = untold;
        untold = undefined;
        if (told) throw told.error;
        return done;
      }
      return new Promise((resolve, reject) => {
        waiters.push({ resolve, reject });
        // After an abort the other end sends its last message only, and that is on its way.
        if (!signal.aborted && !left) client.send({ pull: id });
      });
    },
    async return() {
      if (state === 'new') state = 'over';
      if (isOver()) {
        untold = undefined;
        return done;
      }
      if (!left && !signal.aborted) client.send({ leave: id });
      left = true;
      return new Promise((resolve, reject) => leavers.push({ resolve, reject }));
    },
  };
}
