/** The contract's suite over the test device in each of its shapes, without gaps. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

// The suite mostly waits for what must not happen: the shapes wait in parallel.
t.jobs = 6;
for (const suite of suites) t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
