/** The door for tests: contract suites, fakes, pages with known content. */
export type { ContractCase, ContractTest, Suite } from './testing/contractTest.js';
export * from './testing/driverContract.js';
export type { DriverFeatures, DriverRig } from './testing/driverRig.js';
export * from './testing/fakeDriver.js';
export type { FakeFault } from './testing/fakeScanner.js';
export * from './testing/fakeClock.js';
export * from './testing/needs.js';
export * from './testing/testPages.js';
export * from './testing/fakeFormat.js';
export * from './testing/fakeProcessor.js';
export * from './testing/fakeRecogniser.js';
export * from './testing/formatCases.js';
export * from './testing/formatContract.js';
export * from './testing/processorCases.js';
export * from './testing/processorContract.js';
export * from './testing/recogniserCases.js';
export * from './testing/recogniserContract.js';
