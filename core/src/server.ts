/** The door for the server: everything that composes plugins into a service. */
export * from './plugin.js';
export type { AutoscanLimits, AutoscanReader } from './autoscan/autoscan.js';
export { openBoxStore, type BoxStore, type KeptPage } from './autoscan/boxStore.js';
export type { OutboxEnd, OutboxEvent, OutboxItem, OutboxReader } from './autoscan/outbox.js';
export * from './pipeline/finish.js';
export * from './pipeline/plan.js';
export * from './pipeline/spool.js';
export * from './pipeline/wishes.js';
export * from './registry/capabilities.js';
export * from './registry/devices.js';
export type { Entitle, Entitlement, LicenceQuestion } from './registry/entitlement.js';
export type { Isolate, IsolateContext, Isolated } from './registry/isolation.js';
export * from './registry/load.js';
export * from './registry/registry.js';
export * from './schema/problems.js';
export * from './session/scanner.js';
export * from './session/scanRun.js';
