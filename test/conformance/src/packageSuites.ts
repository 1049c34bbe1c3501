/** The suites that a package is tested with: its own tests and `platen-conformance` run the same ones. */
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import type { DocumentFeatures, DocumentRig } from './documentContract.js';
import type { DriverFeatures, DriverRig } from './driverRig.js';
import type { FormatFeatures, FormatRig } from './formatContract.js';
import { withCases } from './packageCases.js';
import type { ProcessorFeatures, ProcessorRig } from './processorContract.js';
import type { RecogniserFeatures, RecogniserRig } from './recogniserContract.js';

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
  for (const suite of suites) await withCases(suite, (cases, its) => runCases(t, cases, its));
}
