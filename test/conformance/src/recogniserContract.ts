/** The published suite for recognisers: every case is a test of its own. */
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { recogniserCases, type RecogniserFeatures, type RecogniserRig } from './recogniserCases.js';

export async function recogniserContract(
  t: ContractTest,
  suite: Suite<RecogniserRig, RecogniserFeatures>,
): Promise<void> {
  await runCases(t, recogniserCases, suite);
}
