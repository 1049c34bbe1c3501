/** The pending calls of one helper process: each waits for its frames, with a deadline. */
import { deferred } from '@platen/core/driver';
import { messageOf, type ScanError } from '@platen/core/plugin';
import type { Frame } from '../frames/frames.js';
import type { HelperCall } from './helperTypes.js';
import { HelperError } from './helperError.js';
import { HelperFailure } from './helperFailure.js';

export interface HelperCalls {
  /** @returns the answer, and the id of its request */
  begin(verb: string, call: HelperCall): { readonly id: number; readonly answer: Promise<Frame> };
  place(header: Frame['header'], length: number): Uint8Array | undefined;
  /** Hands a frame to its call; await the promise, if any, before reading the next frame. @throws Error for a frame of no call */
  take(frame: Frame): void | Promise<void>;
  /** Rejects all pending calls. */
  end(why: ScanError): void;
}

interface Pending {
  readonly call: HelperCall;
  readonly settled: Promise<void>;
  resolve(frame: Frame): void;
  reject(reason: unknown): void;
  /** Restarts the deadline. */
  arm(): void;
  disarm(): void;
}

/** A helper with another header than ours may name its own fields so. */
const own = '"id", "more", "ok" and "error" are the frame\'s own keys: name the answer\'s fields differently';

function noCall(id: unknown): Error {
  const found = id === undefined ? 'it has no "id"' : `its "id" is ${shown(id)}`;
  return new Error(`${found}, which answers no call; ${own}`);
}

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 80);

/** @param hangs called when a call's deadline has passed, with words that follow the helper's name; ends the other calls */
export function helperCalls(name: string, hangs: (sentence: string) => void): HelperCalls {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let over: ScanError | undefined;
  let held = false; // reading is paused

  function begin(verb: string, call: HelperCall): { id: number; answer: Promise<Frame> } {
    const id = ++lastId;
    let timer: NodeJS.Timeout | undefined;
    const disarm = (): void => clearTimeout(timer);
    const hung = (): void => {
      if (pending.get(id) !== mine) return;
      const sentence = `did not answer "${verb}" for ${call.deadlineMs} ms and was killed`;
      mine.reject(new HelperFailure(name, sentence, { code: 'timeout' }));
      hangs(sentence);
    };
    // This process may itself have been blocked: read the frames that arrived meanwhile before judging.
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

  /** While a driver handles a frame, nothing is read: no deadline runs. */
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
      if (!Number.isInteger(id) || (id as number) < 1 || (id as number) > lastId) throw noCall(id);
      const mine = pending.get(id as number);
      if (!mine) return; // of an aborted call
      const ends = ['more', 'ok', 'error'].filter(key => Object.hasOwn(frame.header, key));
      if (ends.length > 1) throw new Error(`it has "${ends.join('" and "')}", and ${own}`);
      if (more === true) return deliver(mine, frame);
      if (ok === true) return mine.resolve(frame);
      if (typeof error !== 'object' || error === null)
        throw new Error(`it has none of "more": true, "ok": true and "error": {…}, and ${own}`);
      const { status } = error as { status?: unknown };
      mine.reject(new HelperError(typeof status === 'string' ? status : 'UNKNOWN', messageOf(error)));
    },
    end(why) {
      over = why;
      for (const each of pending.values()) each.reject(why);
    },
  };
}
