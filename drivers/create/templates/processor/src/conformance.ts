/** The processor under the published suite. `npm test` and `npm run conformance` run it. */
import { defineSuites, testPage } from '@platen/conformance';
import { createProcessor } from './processor.js';

export default defineSuites([
  {
    kind: 'processor',
    name: 'Acme F100',
    async make() {
      const processor = createProcessor();
      return {
        processor,
        // Yours: the options of a request, and pages that the processor changes, and leaves as they are.
        options: { size: 2, specks: 'dark' },
        pages: () => [testPage({ pixels: 'gray8' })],
        dispose: () => processor.close(),
      };
    },
    features: { name: 'remove-specks' },
  },
]);
