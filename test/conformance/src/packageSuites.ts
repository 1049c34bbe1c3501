/** The suites that a package is tested with: its own tests and `platen-conformance` run the same ones. */
import type { ContractTest, Suite } from './contractTest.js';
import { documentContract, type DocumentFeatures, type DocumentRig } from './documentContract.js';
import { driverContract } from './driverContract.js';
import type { DriverFeatures, DriverRig } from './driverRig.js';
import { formatContract, type FormatFeatures, type FormatRig } from './formatContract.js';
import { processorContract, type ProcessorFeatures, type ProcessorRig } from './processorContract.js';
import { recogniserContract, type RecogniserFeatures, type RecogniserRig } from './recogniserContract.js';

interface Named {
  /** What is tested, for reports: `Acme F100 (simulated)`. */
  readonly name: string;
}

export type PackageSuite =
  | (Named & { readonly kind: 'driver' } & Suite<DriverRig, DriverFeatures>)
  | (Named & { readonly kind: 'format' } & Suite<FormatRig, FormatFeatures>)
  | (Named & { readonly kind: 'document' } & Suite<DocumentRig, DocumentFeatures>)
  | (Named & { readonly kind: 'recogniser' } & Suite<RecogniserRig, RecogniserFeatures>)
  | (Named & { readonly kind: 'processor' } & Suite<ProcessorRig, ProcessorFeatures>);

/**
 * The default export of the module that `platen.conformance` of a package's package.json names, by a path relative to
 * the package: `export default defineSuites([{ kind: 'driver', name: 'Acme F100 (simulated)', features, make }]);`
 */
export function defineSuites(suites: readonly PackageSuite[]): readonly PackageSuite[] {
  return suites;
}

/** Runs all of them, in their order, as tests of `t`. */
export async function packageContract(t: ContractTest, suites: readonly PackageSuite[]): Promise<void> {
  for (const suite of suites) await contractOf(t, suite);
}

function contractOf(t: ContractTest, suite: PackageSuite): Promise<void> {
  switch (suite.kind) {
    case 'driver':
      return driverContract(t, suite);
    case 'format':
      return formatContract(t, suite);
    case 'document':
      return documentContract(t, suite);
    case 'recogniser':
      return recogniserContract(t, suite);
    case 'processor':
      return processorContract(t, suite);
  }
}
