/** Driver contract: over libsane's own `test` backend. */
import { packageContract } from '@platen/conformance';
import t from 'tap';
import { helpers, lacking } from './rig.test.kit.js';
import { testBackendSuites } from './testBackendSuites.test.kit.js';

t.test('the test backend', { skip: lacking() }, t => packageContract(t, testBackendSuites));

t.teardown(() => {
  if (helpers().length > 0) throw new Error(`helpers are still running: ${helpers().join(', ')}`);
});
