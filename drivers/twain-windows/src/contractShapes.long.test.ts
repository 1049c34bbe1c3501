/** The driver contract over the fake source in the shapes that contract.test.ts leaves out. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

t.test('shapes', { jobs: 2 }, async t => {
  for (const suite of suites.slice(1)) void t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
});
