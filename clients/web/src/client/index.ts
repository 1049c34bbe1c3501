/** The module's exports: `createClient`, and the same calls for the service that this module was loaded from. */
export type { AutoScan, AutoScanEnd, AutoScanOptions } from './autoscan.js';
export { createClient, type Client } from './client.js';
export type { ConsentQuestion, OnConsent } from './consentQuestion.js';
export type { Diagnosis } from './diagnose.js';
export type { DocumentOptions, PagesDocumentOptions, SeparatedDocument, WantedPage } from './document.js';
export type { DiagnosisCode, Finding } from './findings.js';
export { PlatenError, type Allowed, type PlatenErrorCode, type PlatenErrorFacts, type Right } from './errors.js';
export type { Scan } from './keptScan.js';
export type { Pages, PagesOptions } from './pageLoop.js';
export type { ReadyOptions } from './ready.js';
export type { ScanOptions } from './scan.js';
export type { PictureOptions, ScanPage } from './scanPage.js';
export type { CallOptions } from './ask.js';
export type { ClientOptions } from './service.js';
export type * from './shapes.js';
export type { StartOptions } from './startScan.js';
export {
  onConsent,
  listScanners,
  capabilities,
  startScan,
  resumeScan,
  listScans,
  document,
  scan,
  autoScan,
  cancel,
  profiles,
  status,
  version,
  health,
  diagnose,
  ready,
} from './defaultClient.js';
