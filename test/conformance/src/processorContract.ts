/** The published suite for processors: every case is a test of its own. */
import type { Processor, RawPage } from '@platen/core/plugin';
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { processorCases } from './processorCases.js';

export interface ProcessorRig {
  readonly processor: Processor;
  /** Pages that the processor changes, and pages that it leaves as they are; the suite brings plain ones of its own. */
  pages?(): readonly RawPage[] | Promise<readonly RawPage[]>;
  dispose?(): Promise<void>;
}

export interface ProcessorFeatures {
  readonly adjustment: Processor['adjustment'];
}

export async function processorContract(t: ContractTest, suite: Suite<ProcessorRig, ProcessorFeatures>): Promise<void> {
  await runCases(t, processorCases, suite);
}
