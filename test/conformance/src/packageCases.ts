/** Which cases a suite of a package runs, and what both test runners and the score do with them. */
import type { ContractCase, Disposable, Suite } from './contractTest.js';
import { documentCases } from './documentCases.js';
import { driverCases } from './driverContract.js';
import { formatCases } from './formatCases.js';
import type { PackageSuite } from './packageSuites.js';
import { processorCases } from './processorCases.js';
import { recogniserCases } from './recogniserCases.js';

/** What is done with the cases of one suite: its rig and features are of the same kind as theirs. */
export type Doing<T> = <Rig extends Disposable, Features>(
  cases: readonly ContractCase<Rig, Features>[],
  suite: Suite<Rig, Features>,
) => T;

export function withCases<T>(suite: PackageSuite, doing: Doing<T>): T {
  switch (suite.kind) {
    case 'driver':
      return doing(driverCases, suite);
    case 'format':
      return doing(formatCases, suite);
    case 'document':
      return doing(documentCases, suite);
    case 'recogniser':
      return doing(recogniserCases, suite);
    case 'processor':
      return doing(processorCases, suite);
  }
}

export const suiteKinds = ['driver', 'format', 'document', 'recogniser', 'processor'] as const;
