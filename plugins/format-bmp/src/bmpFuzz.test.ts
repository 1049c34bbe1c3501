/** Damaged BMP files: pixels that fill the image, or a TypeError. */
import { testPage } from '@platen/conformance';
import { damaged, fuzzed } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import t from 'tap';
import { bmpFormat } from './bmp.js';
import { decodeBmp } from './decodeBmp.js';

const RUNS = 1000;
const { signal } = new AbortController();
const corpus: Uint8Array[] = [];
for (const pixels of ['rgb24', 'gray8', 'bw1'] as const)
  corpus.push(await bmpFormat().encode(testPage({ pixels, width: 33, height: 3 }), { quality: 90 }, { signal }));

async function decodeOrRefuse(file: Uint8Array): Promise<void> {
  const image = await decodeBmp(file, signal).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error;
  });
  if (image && image.data.length !== image.stride * image.height) throw new Error(`${image.data.length} bytes of rows`);
}

t.test('decode: damaged BMP files, pixels or a TypeError', async () => {
  await fc.assert(fc.asyncProperty(damaged(corpus, ['BM']), decodeOrRefuse), fuzzed(RUNS));
});

t.test('decode: a header of more pixels than a BMP can have, a TypeError', async t => {
  const file = Buffer.from(corpus[0]!);
  file.writeInt32LE(0x7fffffff, 18);
  await t.rejects(decodeBmp(file, signal), TypeError);
});
