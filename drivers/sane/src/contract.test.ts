/** Driver contract: over the real libsane and a simulated scanner, in each shape of a scanner. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import { helpers, lacking } from './rig.test.kit.js';
import { simulatedSuites } from './simulatedSuites.test.kit.js';

const skip = lacking();
t.jobs = 4;
for (const suite of simulatedSuites) t.test(suite.name, { buffered: true, skip }, t => packageContract(t, [suite]));

t.teardown(() => {
  if (helpers().length > 0) throw new Error(`helpers are still running: ${helpers().join(', ')}`);
});
