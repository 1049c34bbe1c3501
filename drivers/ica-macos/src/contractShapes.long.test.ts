/** Driver contract: over the simulated ImageCaptureCore, in the shapes that contract.test.ts leaves out. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import { helpers, lacking } from './rig.test.kit.js';
import suites from './suites.test.kit.js';

const skip = lacking();
t.jobs = 3;
for (const suite of suites.slice(2)) t.test(suite.name, { buffered: true, skip }, t => packageContract(t, [suite]));

t.teardown(() => {
  if (helpers().length > 0) throw new Error(`helpers are still running: ${helpers().join(', ')}`);
});
