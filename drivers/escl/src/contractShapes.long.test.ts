/** The contract's suite over the test device in the shapes that contract.test.ts leaves out. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

// The suite mostly waits for what must not happen: the shapes wait in parallel.
t.test('shapes', { jobs: 6 }, async t => {
  for (const suite of suites.slice(1)) void t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
});
