/** The barcode reader finds every code that its library finds on its own, with the library's defaults. */
import t from 'tap';
import type { RawPage } from '@platen/core/plugin';
import { bareRead, levelOf } from '../bench/barcodeLibrary.js';
import { linear, sameText, type Truth } from '../bench/barcodePages.js';
import { openReader } from '../bench/barcodeReader.js';
import { draw, pagesOf, samples, type Sample } from '../bench/barcodeSamples.js';

const { reader, close } = await openReader(2);
t.teardown(close);

/** The samples, one per hardship and symbology, that the library reads and Platen does not. */
async function missed(page: RawPage, truth: readonly Sample[]): Promise<{ read: Truth[]; missed: string[] }> {
  const texts = await bareRead(page);
  const read = truth.filter(sample => texts.some(text => sameText(text, sample)));
  const missing: string[] = [];
  for (const filterLevel of ['Low', 'Normal'] as const) {
    const asked = read.filter(sample => levelOf(sample) === filterLevel);
    if (asked.length === 0) continue;
    const found = await reader.read(
      page,
      { filterLevel, formats: [], stopAfterFirst: false },
      { signal: new AbortController().signal },
    );
    for (const sample of asked)
      if (!found.some(({ text }) => sameText(text, sample)))
        missing.push(`${sample.hardship}, ${sample.symbology}, seed ${sample.seed}`);
  }
  return { read, missed: missing };
}

const all = samples(1);

t.test('barcodes: small pictures, matrix codes that the library reads are read at Normal', async t => {
  let read = 0;
  for (const sample of all.filter(({ symbology }) => !linear(symbology))) {
    const seen = await missed(await draw(sample), [sample]);
    read += seen.read.length;
    t.strictSame(seen.missed, []);
  }
  t.ok(read > 30, `the library reads ${read}: enough to compare with`);
});

t.test('barcodes: small pictures, linear codes that the library reads are read at Low', async t => {
  let read = 0;
  for (const sample of all.filter(({ symbology }, i) => linear(symbology) && i % 3 === 0)) {
    const seen = await missed(await draw(sample), [sample]);
    read += seen.read.length;
    t.strictSame(seen.missed, []);
  }
  t.ok(read > 15, `the library reads ${read}: enough to compare with`);
});

t.test('barcodes: large page, matrix codes in a shadow, blurred, faint or light on dark are read', async t => {
  const hard = all.filter(
    ({ hardship, symbology }) =>
      !linear(symbology) && ['uneven light', 'blur', 'low contrast', 'light on dark'].includes(hardship),
  );
  let read = 0;
  for await (const { page, truth } of pagesOf(hard)) {
    const seen = await missed(page, truth);
    read += seen.read.length;
    t.strictSame(seen.missed, []);
  }
  t.ok(read > 6, `the library reads ${read}: enough to compare with`);
});
