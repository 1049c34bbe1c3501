/** The suites of the driver: over a simulated scanner in its shapes, and over libsane's own test backend. */
import { simulatedSuites } from './simulatedSuites.test.kit.js';
import { testBackendSuites } from './testBackendSuites.test.kit.js';

export default [...simulatedSuites, ...testBackendSuites];
