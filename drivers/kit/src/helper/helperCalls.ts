/** The calls under way in one process of a helper: each waits for its frames, and for none of them for ever. */
import { deferred, messageOf, type ScanError } from '@platen/core/plugin';
import type { Frame } from '../frames/frames.js';
import type { HelperCall } from './helperTypes.js';
import { HelperError } from './helperError.js';
import { HelperFailure } from './helperFailure.js';

export interface HelperCalls {
  /** @returns the answer, and the number to ask it with */
  begin(verb: string, call: HelperCall): { readonly id: number; readonly answer: Promise<Frame> };
  place(header: Frame['header'], length: number): Uint8Array | undefined;
  /** Hands a frame to its call; the promise, where there is one, before the next frame is read. @throws Error for a frame that answers nothing */
  take(frame: Frame): void | Promise<void>;
  /** Rejects all that is under way. */
  end(why: ScanError): void;
}

interface Pending {
  readonly call: HelperCall;
  readonly settled: Promise<void>;
  resolve(frame: Frame): void;
  reject(reason: unknown): void;
  /** Begins the deadline anew. */
  arm(): void;
  disarm(): void;
}

/** @param hangs told what the helper did, to follow its name, when a call's deadline has passed; ends the others */
export function helperCalls(name: string, hangs: (sentence: string) => void): HelperCalls {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let over: ScanError | undefined;
  let held = false; // nothing is read

  function begin(verb: string, call: HelperCall): { id: number; answer: Promise<Frame> } {
    const id = ++lastId;
    let timer: NodeJS.Timeout | undefined;
    const disarm = (): void => clearTimeout(timer);
    const hung = (): void => {
      if (pending.get(id) !== mine) return;
      const sentence = `said nothing about "${verb}" for ${call.deadlineMs} ms and was killed`;
      mine.reject(new HelperFailure(name, sentence, { code: 'timeout' }));
      hangs(sentence);
    };
    // A frame that came while this process itself was held up is read before the verdict.
    const arm = (): void => {
      disarm();
      if (held) return;
      const armed: NodeJS.Timeout = setTimeout(() => setImmediate(() => timer === armed && hung()), call.deadlineMs);
      timer = armed;
    };
    const { promise: answer, resolve, reject } = deferred<Frame>();
    const { promise: settled, resolve: settle } = deferred<void>();
    const aborted = (): void => mine.reject(call.signal?.reason);
    const done =
      <Value>(how: (value: Value) => void) =>
      (value: Value): void => {
        if (!pending.delete(id)) return;
        disarm();
        timer = undefined;
        call.signal?.removeEventListener('abort', aborted);
        how(value);
        settle();
      };
    const mine: Pending = { call, settled, resolve: done(resolve), reject: done(reject), arm, disarm };
    pending.set(id, mine);
    call.signal?.addEventListener('abort', aborted);
    arm();
    if (over) mine.reject(over);
    if (call.signal?.aborted) aborted();
    return { id, answer };
  }

  /** Nothing is read while a driver is busy with a frame: no call can be blamed for its silence. */
  async function hold(busy: Promise<void>, mine: Pending): Promise<void> {
    held = true;
    for (const each of pending.values()) each.disarm();
    await Promise.race([busy.catch(mine.reject), mine.settled]);
    held = false;
    for (const each of pending.values()) each.arm();
  }

  function deliver(mine: Pending, frame: Frame): void | Promise<void> {
    mine.arm();
    try {
      const busy = mine.call.onMore?.(frame);
      return busy && hold(busy, mine);
    } catch (error) {
      mine.reject(error);
    }
  }

  return {
    begin,
    place(header, length) {
      const mine = pending.get(header['id'] as number);
      try {
        const place = mine?.call.place?.(header, length);
        if (place && place.length !== length)
          throw new RangeError(`a place of ${place.length} bytes for ${length} bytes of data`);
        return place;
      } catch (error) {
        mine?.reject(error);
        return undefined;
      }
    },
    take(frame) {
      const { id, more, ok, error } = frame.header;
      if (!Number.isInteger(id) || (id as number) < 1 || (id as number) > lastId)
        throw new Error('it is the answer to nothing');
      const mine = pending.get(id as number);
      if (!mine) return; // of a call that was given up
      if (more === true) return deliver(mine, frame);
      if (ok === true) return mine.resolve(frame);
      if (typeof error !== 'object' || error === null) throw new Error('it is neither "more" nor "ok" nor an error');
      const { status } = error as { status?: unknown };
      mine.reject(new HelperError(typeof status === 'string' ? status : 'UNKNOWN', messageOf(error)));
    },
    end(why) {
      over = why;
      for (const each of pending.values()) each.reject(why);
    },
  };
}
