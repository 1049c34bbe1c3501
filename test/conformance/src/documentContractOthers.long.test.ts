/** Over a document format that breaks one promise, only the case of this promise fails: whoever reads the failure sees its cause. */
import t from 'tap';
import { brokenDocuments, fakeDocumentFeatures } from './broken/documents.js';
import { failingCases } from './broken/failingCases.js';
import { documentCases } from './documentCases.js';

for (const [id, make] of Object.entries(brokenDocuments)) {
  void t.test(`${id}: no other case fails`, async t => {
    const failed = await failingCases(documentCases, make, fakeDocumentFeatures);
    t.strictSame(Object.keys(failed), [id], JSON.stringify(failed));
  });
}
