/** Driver contract: over the simulated ImageCaptureCore, in each shape of a scanner and each transfer mode. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import { helpers, lacking } from './rig.test.kit.js';
import suites from './suites.test.kit.js';

const skip = lacking();
t.jobs = 4;
for (const suite of suites) t.test(suite.name, { buffered: true, skip }, t => packageContract(t, [suite]));

t.teardown(() => {
  if (helpers().length > 0) throw new Error(`helpers are still running: ${helpers().join(', ')}`);
});
