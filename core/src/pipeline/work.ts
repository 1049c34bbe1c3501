/** What the steps of the flow share while they work on the pages of one scan. */
import type { Call } from '../contract/driver.js';
import type { Registry } from '../registry/registry.js';
import type { ScanNote } from './notes.js';
import type { ScanPlan } from './plan.js';

export interface Work {
  readonly plan: ScanPlan;
  readonly software: Pick<Registry, 'processors' | 'formats' | 'barcode' | 'ocr'>;
  readonly call: Call;
  /** The id of the driver whose pages they are. */
  readonly driver: string;
  /** Told what a person should know. */
  note(note: ScanNote): void;
}
