/** The virtual driver keeps every promise of the contract, in each of its shapes, without a gap. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

// The suite watches for what must not happen: mostly it waits, so the shapes wait together.
t.jobs = 6;
for (const suite of suites) t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
