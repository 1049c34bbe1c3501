/** Which cases a suite of a package runs, and what both test runners and the score do with them. */
import type { ContractCase, Disposable, Suite } from './contractTest.js';
import { documentCases } from './documentCases.js';
import type { DocumentFeatures, DocumentRig } from './documentRig.js';
import type { DriverFeatures, DriverRig } from './driverRig.js';
import { driverCases } from './driverContract.js';
import { followerCases, type FollowerFeatures, type FollowerRig } from './followerCases.js';
import { formatCases, type FormatFeatures, type FormatRig } from './formatCases.js';
import { processorCases, type ProcessorFeatures, type ProcessorRig } from './processorCases.js';
import { recogniserCases, type RecogniserFeatures, type RecogniserRig } from './recogniserCases.js';

interface Named {
  /** What is tested, for reports: `Acme F100 (simulated)`. */
  readonly name: string;
}

export type PackageSuite =
  | (Named & { readonly kind: 'driver' } & Suite<DriverRig, DriverFeatures>)
  | (Named & { readonly kind: 'format' } & Suite<FormatRig, FormatFeatures>)
  | (Named & { readonly kind: 'document' } & Suite<DocumentRig, DocumentFeatures>)
  | (Named & { readonly kind: 'recogniser' } & Suite<RecogniserRig, RecogniserFeatures>)
  | (Named & { readonly kind: 'processor' } & Suite<ProcessorRig, ProcessorFeatures>)
  | (Named & { readonly kind: 'follower' } & Suite<FollowerRig, FollowerFeatures>);

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
    case 'follower':
      return doing(followerCases, suite);
  }
}

export const suiteKinds = ['driver', 'format', 'document', 'recogniser', 'processor', 'follower'] as const;
