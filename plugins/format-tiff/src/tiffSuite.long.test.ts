/** The format Tiff passes the published suite with the compressions that are not the usual one. */
import { formatContract } from '@platen/conformance';
import t from 'tap';
import { tiffFile } from './tiffFile.test.kit.js';
import { tiffFormat } from './tiff.js';

for (const compression of ['none', 'deflate'] as const) {
  void t.test(`the published suite, compression ${compression}`, t =>
    formatContract(t, {
      make: async () => ({ format: tiffFormat({ compression }), readBack: tiffFile }),
      features: { lossy: false, decodes: true, readsBack: true, bilevelDepth: 1, magic: 'TIFF' },
    }),
  );
}
