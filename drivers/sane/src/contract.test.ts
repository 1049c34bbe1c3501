/** Driver contract: over the real libsane and a simulated scanner, in its first shape; the others: contractShapes.long.test.ts. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import { helpers, lacking } from './rig.test.kit.js';
import { simulatedSuites as suites } from './simulatedSuites.test.kit.js';

const skip = lacking();
for (const suite of suites.slice(0, 1)) t.test(suite.name, { skip }, t => packageContract(t, [suite]));

t.test('no helper is left', { skip }, async t => t.strictSame(helpers(), []));
