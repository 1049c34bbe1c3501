/** Encodes 1-bit pages on threads, which start on demand and end when idle. */
import { availableParallelism } from 'node:os';
import { createWorkerPool, packedRows, rowBytes, startThread, type RawPage } from '@platen/core/plugin';
import type { Bits } from './g4.js';

/** A page of 5 m takes a second. */
const WORK_MS = 60_000;
const IDLE_MS = 30_000;

export interface G4Encoder {
  /** @param page its pixels are `bw1` @throws the signal's reason; an Error if the thread fails */
  encode(page: RawPage, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the threads. Idempotent. */
  close(): Promise<void>;
}

export function createG4Encoder(): G4Encoder {
  const pool = createWorkerPool({
    places: availableParallelism(),
    start: () =>
      startThread({
        script: new URL('./g4Thread.js', import.meta.url),
        died: failure => new Error('the thread that encoded a 1-bit page died', { cause: failure }),
      }),
    workMs: WORK_MS,
    late: () => new Error(`a 1-bit page took more than ${WORK_MS / 1000} s to encode`),
    closed: () => new Error('the plugin was closed'),
    idleMs: IDLE_MS,
  });
  return {
    async encode(page, signal) {
      const { width, height } = page;
      // The page may share its buffer with others: a copy can be given away.
      const data = new Uint8Array(packedRows(page));
      const bits: Bits = { width, height, stride: rowBytes('bw1', width), data };
      return pool.run(async take => (await take()).ask<Uint8Array>(bits, [data.buffer]), signal);
    },
    close: pool.close,
  };
}
