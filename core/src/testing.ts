/** The door for tests: contract suites, fakes, pages with known content. */
export * from './testing/fakeDriver.js';
export type { FakeFault } from './testing/fakeScanner.js';
export * from './testing/fakeClock.js';
export * from './testing/testPages.js';
