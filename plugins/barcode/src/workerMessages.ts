/** What passes between the service's thread and a worker thread. */
import type { Barcode, BarcodeWishes, RawPage } from '@platen/core/plugin';
import type { CompiledWasm } from './wasm.js';

/** `workerData` of a worker. */
export interface WorkerSettings {
  readonly compiled: CompiledWasm;
  readonly thorough: boolean;
}

export interface ReadRequest {
  /** Its `data` lies in memory that both threads share. */
  readonly page: RawPage;
  readonly wishes: BarcodeWishes;
}

export type ReadResponse = readonly Barcode[];
