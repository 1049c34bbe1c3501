/** A client's calls, for the service that this module was loaded from. The first call makes the client. */
import { createClient, type Client } from './client.js';
import type { OnConsent } from './consentQuestion.js';

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
export const autoScan: Client['autoScan'] = (...given) => client().autoScan(...given);
export const cancel: Client['cancel'] = (...given) => client().cancel(...given);
export const profiles: Client['profiles'] = (...given) => client().profiles(...given);
export const status: Client['status'] = (...given) => client().status(...given);
export const version: Client['version'] = (...given) => client().version(...given);
export const health: Client['health'] = (...given) => client().health(...given);
export const diagnose: Client['diagnose'] = (...given) => client().diagnose(...given);
export const ready: Client['ready'] = (...given) => client().ready(...given);
export const document: Client['document'] = (...given) => client().document(...given);
