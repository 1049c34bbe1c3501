/** The published suite for document formats: every case is a test of its own. */
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { documentCases } from './documentCases.js';
import type { DocumentRig, DocumentFeatures } from './documentRig.js';

export async function documentContract(t: ContractTest, suite: Suite<DocumentRig, DocumentFeatures>): Promise<void> {
  await runCases(t, documentCases, suite);
}
