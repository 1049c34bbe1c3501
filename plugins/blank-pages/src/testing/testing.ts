/** The door for tests and benchmarks: pages drawn as scanners deliver them, and the set of 400. */
export * from './pageSet.js';
export { scanned, type Scanning } from './pages.js';
