/** Whatever the bare library reads of mixed pictures, the plugin reads at the level that it promises. `npm run bench -- --only codes` has many more. */
import t, { type Test } from 'tap';
import type { RawPage } from '@platen/core/plugin';
import { bareRead, levelOf } from '../bench/barcodeLibrary.js';
import { sameText } from '../bench/barcodePages.js';
import { openReader } from '../bench/barcodeReader.js';
import { draw, mixedSamples, pagesOf, type Sample } from '../bench/barcodeSamples.js';

/** PLATEN_TEST_SEED takes another one. */
const SEED = Number(process.env['PLATEN_TEST_SEED'] ?? 3_000_000);
const PICTURES = 8;
const ON_PAGE = 6;
/** Below this, the pictures would be too hard to say anything. */
const LEAST_READ = 2;

const { reader, close } = await openReader(1);
t.teardown(close);

/** @returns how many codes the library read */
async function check(t: Test, page: RawPage, truth: readonly Sample[]): Promise<number> {
  const library = await bareRead(page);
  const read = truth.filter(sample => library.some(text => sameText(text, sample)));
  for (const filterLevel of new Set(read.map(levelOf))) {
    const wishes = { filterLevel, formats: [], stopAfterFirst: false } as const;
    const found = await reader.read(page, wishes, { signal: new AbortController().signal });
    for (const sample of read.filter(each => levelOf(each) === filterLevel))
      t.ok(
        found.some(({ text }) => sameText(text, sample)),
        `${sample.symbology}, seed ${sample.seed}, at ${filterLevel}`,
      );
  }
  return read.length;
}

t.test(`pictures of one code each, seed ${SEED}`, async t => {
  let read = 0;
  for (const sample of mixedSamples(SEED, PICTURES)) read += await check(t, await draw(sample), [sample]);
  t.ok(read >= LEAST_READ, `the library reads ${read} of ${PICTURES}`);
});

t.test(`an A4 page at 300 dpi, seed ${SEED}`, async t => {
  const samples = mixedSamples(SEED + PICTURES, ON_PAGE, 'mixed, small').filter(
    ({ symbology }) => symbology !== 'UpcE',
  );
  for await (const { page, truth } of pagesOf(samples)) await check(t, page, truth);
});
