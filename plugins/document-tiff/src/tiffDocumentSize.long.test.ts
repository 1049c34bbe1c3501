/** The document format Tiff at the limit of the places in a TIFF; with a limit of some bytes, tiffDocument.test.ts tests it. */
import { testDocumentPage, testPage } from '@platen/conformance';
import type { DocumentPage } from '@platen/core/plugin';
import sharp from 'sharp';
import t from 'tap';
import { tiffDocument } from './tiffDocument.js';
import { writtenBy } from './tiffImages.test.kit.js';

void t.test('document: 4 GiB, the limit of the places in a TIFF', async t => {
  const [width, height] = [8000, 8000];
  const content = testPage({ width: 1, height: 1, pixels: 'gray8' });
  const file = await sharp(Buffer.alloc(width * height), { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .tiff({ compression: 'none' })
    .toBuffer();
  const page: DocumentPage = {
    ...testDocumentPage({ content, file, mimeType: 'image/tiff' }),
    width,
    height,
    async *read() {
      yield file;
    },
    pixels: () => Promise.reject(new Error('it is not decoded')),
  };
  let length = 0;
  function* endless(): Generator<DocumentPage> {
    for (;;) yield page;
  }
  await t.rejects(
    writtenBy(tiffDocument(), endless(), {}, chunk => (length += chunk.length)),
    { code: 'unsupported' },
  );
  t.ok(length < 2 ** 32 && length > 2 ** 32 - 2 * file.length, `${length} bytes`);
});
