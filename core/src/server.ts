/** The entry point for the server: everything that composes plugins into a service. */
export * from './plugin.js';
export type { AutoscanReader } from './autoscan/autoscan.js';
export type { AutoscanLimits } from './autoscan/session.js';
export type { KeptScan, ScanProgress } from './kept/keptScan.js';
export type { Collecting, KeepLimits, KeptRequest, KeptScans } from './kept/keptScans.js';
export { scanStates, type ScanState } from './kept/scanFacts.js';
export { isOnDemand, openScanStore, spoolStore, type ScanStore } from './kept/scanStore.js';
export { atRisk, type StoredPage } from './kept/storedPage.js';
export type { OutboxEvent, OutboxItem, OutboxReader } from './outbox/outbox.js';
export { endReasons, type EndReason, type OutboxEnd } from './outbox/outboxEnd.js';
export { decodedPage } from './documents/decodedPage.js';
export { documentNames } from './documents/documentNames.js';
export * from './documents/documentPages.js';
export * from './documents/separate.js';
export * from './documents/separatorSheet.js';
export * from './documents/writeDocument.js';
export * from './documents/writeSeparatorSheet.js';
export * from './pipeline/finish.js';
export * from './pipeline/keep.js';
export { noteCodes, noteOnField, type NoteCode, type ScanNote } from './pipeline/notes.js';
export * from './pipeline/plan.js';
export * from './pipeline/spool.js';
export { stages, type Stage } from './pipeline/stages.js';
export * from './pipeline/scanOptions.js';
export * from './pipeline/separation.js';
export * from './registry/asked.js';
export * from './registry/capabilities.js';
export * from './registry/devices.js';
export * from './registry/formatNames.js';
export {
  daysLeft,
  LicenceError,
  licenceWarning,
  type Entitle,
  type Entitlement,
  type LicenceQuestion,
} from './registry/entitlement.js';
export type { Contribution, LoadFault, PluginEntry, PluginReport, UnusedContribution } from './registry/entry.js';
export type { Isolate, IsolateContext, Isolated } from './registry/isolation.js';
export * from './registry/load.js';
export * from './registry/registry.js';
export { resolvePlugin, type Resolved } from './registry/resolve.js';
export { noWishes } from './registry/wishes.js';
export * from './schema/problems.js';
export * from './service.js';
export type { OnDemandRun, ScanRequest, ScanSink } from './scanning/onDemand.js';
export type { Meter } from './scanning/meter.js';
export type { ScanEnd, ScanKind } from './scanning/scanEnd.js';
export type { ScanLimits } from './scanning/scanRun.js';
export * from './scanning/traceSession.js';
