/** The published suite for plugins that follow scans: every case is a test of its own. */
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { followerCases, type FollowerFeatures, type FollowerRig } from './followerCases.js';

export async function followerContract(t: ContractTest, suite: Suite<FollowerRig, FollowerFeatures>): Promise<void> {
  await runCases(t, followerCases, suite);
}
