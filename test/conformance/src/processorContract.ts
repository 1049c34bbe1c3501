/** The published suite for processors: every case is a test of its own. */
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { processorCases, type ProcessorFeatures, type ProcessorRig } from './processorCases.js';

export async function processorContract(t: ContractTest, suite: Suite<ProcessorRig, ProcessorFeatures>): Promise<void> {
  await runCases(t, processorCases, suite);
}
