/** The module's exports: `createClient`, and the same calls for the service that this module was loaded from. */
import { createClient, type Client } from './client.js';
import type { OnConsent } from './consent/consent.js';

export { createClient, type Client };
export type { AutoScan, AutoScanEnd, AutoScanOptions } from './autoscan/autoscan.js';
export type { ConsentQuestion, OnConsent } from './consent/consent.js';
export type { Diagnosis } from './diagnosis/diagnose.js';
export type {
  DocumentOptions,
  Interleave,
  PagesDocumentOptions,
  SeparatedDocument,
  WantedPage,
} from './scans/document.js';
export type { DiagnosisCode, Finding } from './diagnosis/findings.js';
export { PlatenError, type Allowed, type PlatenErrorCode, type PlatenErrorFacts, type Right } from './errors.js';
export type { Scan } from './scans/keptScan.js';
export type { Pages, PagesOptions } from './scans/pageLoop.js';
export type { ReadyOptions } from './diagnosis/ready.js';
export type { ScanOptions } from './scans/scan.js';
export type { PictureOptions, ScanPage } from './scans/scanPage.js';
export type { CallOptions } from './transport/ask.js';
export type { ClientOptions } from './service.js';
export type * from './shapes.js';
export type { StartedAutoScan } from './scans/startAutoScan.js';
export type { StartOptions } from './scans/startScan.js';

/** For the service that this module was loaded from; the first call makes it. */
let made: Client | undefined;
const options: { onConsent?: OnConsent | undefined } = {};
const client = (): Client => (made ??= createClient(options));

/** Like the option of `createClient`, for the calls that this module exports. Undefined: they throw `consent-required`. */
export function onConsent(handler: OnConsent | undefined): void {
  options.onConsent = handler;
}

export const listScanners: Client['listScanners'] = (...given) => client().listScanners(...given);
export const capabilities: Client['capabilities'] = (...given) => client().capabilities(...given);
export const startScan: Client['startScan'] = (...given) => client().startScan(...given);
export const resumeScan: Client['resumeScan'] = (...given) => client().resumeScan(...given);
export const listScans: Client['listScans'] = (...given) => client().listScans(...given);
export const scan: Client['scan'] = (...given) => client().scan(...given);
export const startAutoScan: Client['startAutoScan'] = (...given) => client().startAutoScan(...given);
export const autoScan: Client['autoScan'] = (...given) => client().autoScan(...given);
export const cancel: Client['cancel'] = (...given) => client().cancel(...given);
export const profiles: Client['profiles'] = (...given) => client().profiles(...given);
export const features: Client['features'] = (...given) => client().features(...given);
export const followFeatures: Client['followFeatures'] = (...given) => client().followFeatures(...given);
export const status: Client['status'] = (...given) => client().status(...given);
export const version: Client['version'] = (...given) => client().version(...given);
export const health: Client['health'] = (...given) => client().health(...given);
export const diagnose: Client['diagnose'] = (...given) => client().diagnose(...given);
export const ready: Client['ready'] = (...given) => client().ready(...given);
const pagesDocument: Client['document'] = (...given) => client().document(...given);
// A global of browsers has this name, too.
export { pagesDocument as document };
