/** The module's exports: `createClient`, and the same calls for the service that this module was loaded from. */
import { createClient } from './client.js';

export type { AutoScan, AutoScanEnd, AutoScanOptions } from './autoscan.js';
export { createClient, type Client } from './client.js';
export type { Diagnosis } from './diagnose.js';
export type { DocumentOptions, SeparatedDocument } from './document.js';
export type { DiagnosisCode, Finding } from './findings.js';
export { PlatenError, type PlatenErrorCode, type PlatenErrorFacts } from './errors.js';
export type { Scan } from './keptScan.js';
export type { Pages, PagesOptions } from './pageLoop.js';
export type { ScanOptions } from './scan.js';
export type { ScanPage } from './scanPage.js';
export type { CallOptions, ClientOptions } from './service.js';
export type * from './shapes.js';
export type { StartOptions } from './startScan.js';

export const {
  listScanners,
  capabilities,
  startScan,
  resumeScan,
  listScans,
  scan,
  autoScan,
  cancel,
  profiles,
  status,
  version,
  health,
  diagnose,
} = createClient();
