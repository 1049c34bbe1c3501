/** The door for tests: contract suites, fakes, pages with known content. */
export * from './testing/fakeClock.js';
export * from './testing/testPages.js';
