/** `@platen/driver-escl/testing`, for tests and benchmarks of the whole service: a network scanner in software. */
export * from './advertise.js';
export * from './device.js';
export { jobFaults, pageFaults, documentFaults, type Fault } from './faults.js';
export type { Area, DeviceOptions, EsclColorMode, EsclFormat } from './options.js';
export { troubles, type Trouble } from './paperPath.js';
export { readMark, type Mark } from './pictures.js';
export * from './replay.js';
export * from './selfSigned.js';
export * from './traceReplay.js';
export type { ServiceFacts } from './serviceFacts.js';
