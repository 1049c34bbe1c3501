/** The published suite for processors: every case is a test of its own. */
import type { CustomProcessor, Processor, ProcessorWish, RawPage } from '@platen/core/plugin';
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { processorCases } from './processorCases.js';

export interface ProcessorRig {
  readonly processor: Processor | CustomProcessor;
  /** What a control is requested with; absent for adjustments. */
  readonly wish?: Omit<ProcessorWish, 'colorMode'>;
  /** Of a processor with a name: as core hands them over, with the schema's defaults. `{}` when absent. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Pages that the processor changes, and pages that it leaves as they are; the suite brings plain ones of its own. */
  pages?(): readonly RawPage[] | Promise<readonly RawPage[]>;
  dispose?(): Promise<void>;
}

/** What it is for, or its name. */
export type ProcessorFeatures =
  | { readonly adjustment: Processor['adjustment']; readonly name?: undefined }
  | { readonly name: string; readonly adjustment?: undefined };

export async function processorContract(t: ContractTest, suite: Suite<ProcessorRig, ProcessorFeatures>): Promise<void> {
  await runCases(t, processorCases, suite);
}
