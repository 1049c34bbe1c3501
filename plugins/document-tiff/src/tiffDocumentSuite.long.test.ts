/** The document format Tiff passes the published suite with the compressions that are not the usual one. */
import { documentContract } from '@platen/conformance';
import t from 'tap';
import { tiffDocument } from './tiffDocument.js';
import { readTiff } from './tiffImages.test.kit.js';

for (const compression of ['none', 'deflate'] as const) {
  void t.test(`the published suite, compression ${compression}`, t =>
    documentContract(t, {
      make: async () => ({ format: tiffDocument({ compression }), readBack: readTiff }),
      features: { pixels: true, lossy: false, text: false, title: true },
    }),
  );
}
