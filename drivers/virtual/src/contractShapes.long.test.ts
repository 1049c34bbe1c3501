/** The virtual driver keeps every promise of the contract in the shapes that contract.test.ts leaves out. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

// The suite watches for what must not happen: mostly it waits, so the shapes wait together.
t.test('shapes', { jobs: 3 }, async t => {
  for (const suite of suites.slice(1)) void t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
});
