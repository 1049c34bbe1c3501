/** What passes between the service's thread and a worker. */
import type { Barcode, BarcodeWishes, RawPage } from '@platen/core/plugin';
import type { CompiledWasm } from './wasm.js';

/** What a worker is started with. */
export interface Tools {
  readonly compiled: CompiledWasm;
  readonly thorough: boolean;
}

export interface Job {
  /** Its `data` lies in memory that both threads see. */
  readonly page: RawPage;
  readonly wishes: BarcodeWishes;
}

export type Answer = readonly Barcode[];
