/**
 * The document suite passes over the fake, and each of its cases fails over the format that breaks its promise; that no other
 * case fails over it: documentContractOthers.long.test.ts.
 */
import t from 'tap';
import { brokenDocuments, fakeDocumentFeatures } from './broken/documents.js';
import { failingCases } from './broken/failingCases.js';
import { documentCases } from './documentCases.js';
import { documentContract } from './documentContract.js';
import { fakeDocumentFormat, readFakeDocument } from './fakeDocumentFormat.js';

void t.test('documentContract: the fake, passes', t =>
  documentContract(t, {
    make: async () => ({ format: fakeDocumentFormat(), readBack: readFakeDocument }),
    features: fakeDocumentFeatures,
  }),
);

for (const { id } of documentCases) {
  void t.test(`${id}: a document format that breaks it, fails`, async t => {
    const make = brokenDocuments[id];
    if (!make) return t.fail(`no broken document format for ${id}`);
    const own = documentCases.filter(each => each.id === id);
    t.strictSame(Object.keys(await failingCases(own, make, fakeDocumentFeatures)), [id]);
  });
}

void t.test('documentContract: a rig without pixels though features say so, named in the failure', async t => {
  const make = () => ({
    format: fakeDocumentFormat(),
    readBack(bytes: Uint8Array) {
      const pages = readFakeDocument(bytes).pages.map(({ pixels: _, ...page }) => page);
      return { pages };
    },
  });
  const own = documentCases.filter(({ id }) => id === 'every-kind-of-page');
  const failed = await failingCases(own, make, fakeDocumentFeatures);
  t.match(failed['every-kind-of-page'], { message: /features\.pixels/ });
});
