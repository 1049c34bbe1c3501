/** The promises of a driver, kept by this one. */
import { test } from 'node:test';
import { packageContract } from '@platen/conformance';
import suites from './conformance.js';

void test('Acme F100', t => packageContract(t, suites));
