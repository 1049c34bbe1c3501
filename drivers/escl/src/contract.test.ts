/** The contract's suite over the test device in its first shape, without gaps; the others: contractShapes.long.test.ts. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

for (const suite of suites.slice(0, 1)) t.test(suite.name, t => packageContract(t, [suite]));
