/**
 * The recogniser suite passes over the fakes, and each of its cases fails over the recogniser that breaks its promise.
 */
import type { OcrRecogniser } from '@platen/core/plugin';
import t from 'tap';
import { failingCases } from './broken/failingCases.js';
import {
  brokenBlankRecognisers,
  brokenPatchRecognisers,
  brokenRecognisers,
  brokenStamps,
  stampFake,
} from './broken/recognisers.js';
import { brokenWords } from './broken/wordRecognisers.js';
import { fakeBarcodes, fakePatch, fakeRecogniser, fakeText, fakeWords } from './fakeRecogniser.js';
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
void t.test('recogniserContract: the fake for text with words, passes', t =>
  recogniserContract(t, {
    make: async () => ({
      recogniser: fakeRecogniser('ocr', { reads: page => fakeWords(fakeText, page) }),
      page: testPage,
      holds: fakeText,
    }),
    features: { kind: 'ocr', words: true },
  }),
);
void t.test('recogniserContract: the fake for blank pages, passes', t =>
  recogniserContract(t, {
    make: async () => ({ recogniser: fakeRecogniser('blank'), page: testPage }),
    features: { kind: 'blank' },
  }),
);
void t.test('recogniserContract: the fake for patch codes, passes', t =>
  recogniserContract(t, {
    make: async () => ({ recogniser: fakeRecogniser('patch'), page: testPage, holds: fakePatch }),
    features: { kind: 'patch' },
  }),
);

void t.test('recogniserContract: the fake of another kind, passes', t =>
  recogniserContract(t, { make: async () => stampFake()(), features: { kind: 'stamp' } }),
);

const broken = { barcode: brokenRecognisers, blank: brokenBlankRecognisers, patch: brokenPatchRecognisers } as const;
for (const { id } of recogniserCases.filter(each => !brokenWords[each.id])) {
  void t.test(`${id}: a recogniser that breaks it, fails`, async t => {
    const stamps = brokenStamps[id];
    if (stamps) {
      const failed = await failingCases(recogniserCases, stamps, { kind: 'stamp' });
      t.ok(id in failed, JSON.stringify(failed));
      if (id !== 'finding-is-json') t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
    }
    const kinds = (Object.keys(broken) as (keyof typeof broken)[]).filter(kind => broken[kind][id]);
    if (kinds.length === 0 && !stamps) return t.fail(`no broken recogniser for ${id}`);
    for (const kind of kinds) {
      const failed = await failingCases(recogniserCases, broken[kind][id]!, { kind });
      t.strictSame(Object.keys(failed), [id], `${kind}: ${JSON.stringify(failed)}`);
    }
  });
}

for (const [id, ways] of Object.entries(brokenWords)) {
  void t.test(`${id}: a recogniser of words that breaks it, fails`, async t => {
    for (const [at, make] of ways.entries()) {
      const failed = await failingCases(recogniserCases, make, { kind: 'ocr', words: true });
      t.strictSame(Object.keys(failed), [id], `${at}: ${JSON.stringify(failed)}`);
    }
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
