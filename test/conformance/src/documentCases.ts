/** What a document format promises, case by case. */
import type { ContractCase } from './contractTest.js';
import { contentCases } from './documentCases/contentCases.js';
import { failureCases } from './documentCases/failureCases.js';
import { flowCases } from './documentCases/flowCases.js';
import type { DocumentFeatures, DocumentRig } from './documentRig.js';

export const documentCases: readonly ContractCase<DocumentRig, DocumentFeatures>[] = [
  ...contentCases,
  ...flowCases,
  ...failureCases,
];
