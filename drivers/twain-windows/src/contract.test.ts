/** The driver contract over the fake source, in each shape of a scanner and of a driver. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

t.jobs = 2;
for (const suite of suites) t.test(suite.name, { buffered: true }, t => packageContract(t, [suite]));
