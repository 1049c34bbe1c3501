/** The guide for drivers with a helper in C or C++, followed. At the customer's, nothing is compiled. */
import t from 'tap';
import { lacking } from '@platen/conformance';
import { follow } from './followGuide.js';

const when = { timeout: 900_000, skip: lacking('cc') };
await t.test('native-helpers.md: from an empty folder to a scan at a customer’s', when, t =>
  follow(t, {
    page: 'native-helpers.md',
    scanner: 'Acme F100 1',
    sheets: 3,
    own: ['src', 'native', 'dist/simulation.js'],
  }),
);
