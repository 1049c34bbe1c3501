/** Encodes grey and coloured pages as PNG on threads, which start on demand and end when idle. */
import { createWorkerPool, rowBytes, startThread, type RawPage } from '@platen/core/plugin';
import { availableParallelism } from 'node:os';
import { beginOf, chunk, chunkOfEnd } from '../chunks.js';
import { joinedAdler, type Strip, type StripRequest } from './strip.js';

/** Bytes that are copied at once, in a fraction of a millisecond; a thread has work for some. */
const STRIP = 1024 * 1024;
const PLACES = availableParallelism();
/** A strip takes milliseconds; a thread that takes this long hangs, and is ended. */
const WORK_MS = 60_000;
/** A thread holds 10 MB, and another starts in 40 ms. */
const IDLE_MS = 10_000;

export interface StripEncoder {
  /** @param page its pixels are `gray8` or `rgb24` @throws the signal's reason; an Error if a thread fails */
  encode(page: RawPage, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the threads. Idempotent. */
  close(): Promise<void>;
}

/** @param script what a thread runs */
export function createStripEncoder(script = new URL('./stripThread.js', import.meta.url)): StripEncoder {
  const pool = createWorkerPool({
    places: PLACES,
    start: () =>
      startThread({
        script,
        died: failure => new Error('the thread that encoded a page died', { cause: failure }),
      }),
    workMs: WORK_MS,
    late: () => new Error(`a part of a page took more than ${WORK_MS / 1000} s to encode`),
    closed: () => new Error('the plugin was closed'),
    abandoned: 'finishes',
    idleMs: IDLE_MS,
  });
  return {
    async encode(page, signal) {
      const strips = stripsOf(page);
      const made: Strip[] = [];
      /** Memory of strips that are encoded: fresh memory costs as much as filling it. */
      const spare: ArrayBuffer[] = [];
      // No more at once than there are threads: pages that are encoded at the same time take turns.
      const encodeNext = async (): Promise<void> => {
        for (let at = taken++; at < strips.length; at = taken++)
          made[at] = await pool.run(async take => {
            const thread = await take();
            const request = requestOf(page, strips[at]!, spare.pop());
            const strip = await thread.ask<Strip>(request, [request.rows.buffer]);
            spare.push(strip.rows.buffer);
            return strip;
          }, signal);
      };
      let taken = 0;
      try {
        await Promise.all(Array.from({ length: PLACES }, encodeNext));
      } finally {
        taken = strips.length;
      }
      const sum = made.reduce((before, { adler, length }) => joinedAdler(before, adler, length), 1);
      return Buffer.concat([beginOf(page), zlibHeader, ...made.map(strip => strip.chunk), zlibEnd(sum), chunkOfEnd()]);
    },
    close: pool.close,
  };
}

/** RFC 1950: a window of 32 KB, the fastest method. */
const zlibHeader = chunk('IDAT', Buffer.from([0x78, 0x01]));

/** An empty block that is the last, and the sum of all. */
function zlibEnd(adler: number): Buffer {
  const end = Buffer.from([1, 0, 0, 0xff, 0xff, 0, 0, 0, 0]);
  end.writeUInt32BE(adler, 5);
  return chunk('IDAT', end);
}

interface Rows {
  readonly first: number;
  readonly count: number;
}

function stripsOf({ height, width, pixels }: RawPage): Rows[] {
  const rows = Math.max(1, Math.floor(STRIP / rowBytes(pixels, width)));
  return Array.from({ length: Math.ceil(height / rows) }, (_, at) => ({
    first: at * rows,
    count: Math.min(rows, height - at * rows),
  }));
}

/** A copy: others may read the page meanwhile. @param spare memory that may be used */
function requestOf(
  { data, width, stride, pixels }: RawPage,
  { first, count }: Rows,
  spare: ArrayBuffer | undefined,
): StripRequest {
  const bytes = rowBytes(pixels, width);
  const size = (count + 1) * bytes;
  const rows = new Uint8Array(spare && spare.byteLength >= size ? spare : new ArrayBuffer(size), 0, size);
  if (first === 0) rows.fill(0, 0, bytes);
  const from = first === 0 ? 0 : first - 1;
  let to = first === 0 ? bytes : 0;
  if (stride === bytes) rows.set(data.subarray(from * bytes, (first + count) * bytes), to);
  else
    for (let y = from; y < first + count; y++, to += bytes) rows.set(data.subarray(y * stride, y * stride + bytes), to);
  return { rows, rowBytes: bytes, pixelBytes: pixels === 'rgb24' ? 3 : 1 };
}
