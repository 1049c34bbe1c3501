/** The virtual driver keeps every promise of the contract, without a gap; its other shapes: contractShapes.long.test.ts. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

// The suite watches for what must not happen: mostly it waits, so the shapes wait together.
t.test('shapes', { jobs: 3 }, async t => {
  for (const suite of suites.slice(0, 3)) void t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
});
