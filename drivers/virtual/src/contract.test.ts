/** The virtual driver keeps every promise of the contract, without a gap, in its first shape; the others: contractShapes.long.test.ts. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

for (const suite of suites.slice(0, 1)) t.test(suite.name, t => packageContract(t, [suite]));
