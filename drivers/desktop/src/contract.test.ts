/** The fake driver behind the channel keeps every promise of the contract, without a gap. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import suites from './suites.test.kit.js';

await packageContract(t, suites);
