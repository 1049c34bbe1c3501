/** Driver contract: over the simulated ImageCaptureCore, in the shapes that contract.test.ts leaves out. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import { helpers, lacking } from './rig.test.kit.js';
import suites from './suites.test.kit.js';

const skip = lacking();
t.test('shapes', { jobs: 3, skip }, async t => {
  for (const suite of suites.slice(1)) void t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
});

t.test('no helper is left', { skip }, async t => t.strictSame(helpers(), []));
