/** The recogniser under the published suite. `npm test` and `npm run conformance` run it. */
import { defineSuites } from '@platen/conformance';
import { boxes, formWith } from './form.js';
import { createRecogniser } from './recogniser.js';

export default defineSuites([
  {
    kind: 'recogniser',
    name: 'Acme F100',
    async make() {
      const recogniser = createRecogniser();
      return {
        recogniser,
        // Yours: a page, what a request says, and what is found then.
        page: () => formWith(['yes']),
        wishes: { boxes, least: 0.05 },
        finds: [{ name: 'yes', ink: 0.145 }],
        dispose: () => recogniser.close(),
      };
    },
    features: { kind: 'ticks' },
  },
]);
