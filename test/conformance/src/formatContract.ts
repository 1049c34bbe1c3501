/** The published suite for formats: every case is a test of its own. */
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { formatCases, type FormatFeatures, type FormatRig } from './formatCases.js';

export async function formatContract(t: ContractTest, suite: Suite<FormatRig, FormatFeatures>): Promise<void> {
  await runCases(t, formatCases, suite);
}
