/**
 * The recogniser suite passes over the fakes, and each of its cases fails over the recogniser that breaks its promise.
 */
import type { OcrRecogniser } from '@platen/core/plugin';
import t from 'tap';
import { failingCases } from './broken/failingCases.js';
import { brokenRecognisers } from './broken/recognisers.js';
import { fakeBarcodes, fakeRecogniser, fakeText } from './fakeRecogniser.js';
import { recogniserCases } from './recogniserCases.js';
import { recogniserContract } from './recogniserContract.js';
import { testPage } from './testPages.js';

void t.test('recogniserContract: the fake for barcodes, passes', t =>
  recogniserContract(t, {
    make: async () => ({ recogniser: fakeRecogniser('barcode'), page: testPage, holds: fakeBarcodes }),
    features: { kind: 'barcode' },
  }),
);
void t.test('recogniserContract: the fake for text, passes', t =>
  recogniserContract(t, {
    make: async () => ({ recogniser: fakeRecogniser('ocr'), page: testPage, holds: fakeText }),
    features: { kind: 'ocr' },
  }),
);

for (const { id } of recogniserCases) {
  void t.test(`${id}: a recogniser that breaks it, fails`, async t => {
    const make = brokenRecognisers[id];
    if (!make) return t.fail(`no broken recogniser for ${id}`);
    const failed = await failingCases(recogniserCases, make, { kind: 'barcode' });
    t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
  });
}

void t.test('recogniserContract: a text recogniser that breaks a case of its own, fails', async t => {
  const sound = fakeRecogniser('ocr');
  const failing = async (recogniser: OcrRecogniser) =>
    Object.keys(
      await failingCases(recogniserCases, () => ({ recogniser, page: testPage, holds: fakeText }), { kind: 'ocr' }),
    );
  t.strictSame(await failing({ ...sound, languages: [] }), ['kind-known']);
  t.strictSame(await failing(fakeRecogniser('ocr', { reads: 'two lines, What the page says' })), ['reads-the-page']);
});
