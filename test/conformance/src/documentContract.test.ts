/** The document suite passes over the fake, and each of its cases fails over the format that breaks its promise. */
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
    const failed = await failingCases(documentCases, make, fakeDocumentFeatures);
    t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
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
  const failed = await failingCases(documentCases, make, fakeDocumentFeatures);
  t.match(failed['every-kind-of-page'], { message: /features\.pixels/ });
});
