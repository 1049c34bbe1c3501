/** Driver contract: over the real libsane and a simulated scanner, in its first shapes; the others: contractShapes.long.test.ts. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import { helpers, lacking } from './rig.test.kit.js';
import { simulatedSuites } from './simulatedSuites.test.kit.js';

const skip = lacking();
t.jobs = 2;
for (const suite of simulatedSuites.slice(0, 2))
  t.test(suite.name, { buffered: true, skip }, t => packageContract(t, [suite]));

t.teardown(() => {
  if (helpers().length > 0) throw new Error(`helpers are still running: ${helpers().join(', ')}`);
});
