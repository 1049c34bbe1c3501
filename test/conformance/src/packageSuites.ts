/** The suites that a package is tested with: its own tests and `platen-conformance` run the same ones. */
import { runCases, type ContractTest } from './contractTest.js';
import { withCases, type PackageSuite } from './packageCases.js';

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
