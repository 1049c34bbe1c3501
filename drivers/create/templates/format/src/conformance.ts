/** The format under the published suite. `npm test` and `npm run conformance` run it. */
import { defineSuites, type WrittenFacts } from '@platen/conformance';
import { createFormat } from './format.js';

// Yours: what another program reads from the file; the format's own decoder would repeat its own mistakes.
function readBack(bytes: Uint8Array): WrittenFacts {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return { width: header.readUInt32BE(4), height: header.readUInt32BE(8), depth: header[12]! * 8 };
}

export default defineSuites([
  {
    kind: 'format',
    name: 'Acme F100',
    async make() {
      const format = createFormat();
      return { format, readBack, dispose: () => format.close() };
    },
    // Yours: what your format has. The suite leaves out the rest.
    features: {
      lossy: false,
      decodes: true,
      readsBack: true,
      bilevelDepth: 24,
      greyDepth: 24,
      storesResolution: false,
      magic: Buffer.from('qoif'),
    },
  },
]);
