/** The door for authors of plugins: the contract, and what makes it easy to keep. */
export * from './contract/driver.js';
export * from './contract/errors.js';
export * from './contract/format.js';
export * from './contract/order.js';
export * from './contract/page.js';
export * from './contract/plugin.js';
export * from './contract/processor.js';
export * from './contract/recogniser.js';
export * from './contract/words.js';
export * from './driving/endable.js';
export * from './driving/oneScan.js';
export * from './driving/wait.js';
export * from './pixels/bilevelTiff.js';
export * from './pixels/rows.js';
