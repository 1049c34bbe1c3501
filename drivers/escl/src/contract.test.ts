/** The contract's suite over the test device in its first shapes, without gaps; the others: contractShapes.long.test.ts. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

// The suite mostly waits for what must not happen: the shapes wait in parallel.
t.jobs = 2;
for (const suite of suites.slice(0, 2)) t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
