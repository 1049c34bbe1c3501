/** What a device's HTTP statuses mean to Platen, at each step of a job. */
import { asDriverError, codeOf, ScanError, type DriverCode } from '@platen/core/plugin';
import { adfStates } from './adfStates.js';
import { EsclFault, type FaultKind } from './esclFault.js';

export interface Meaning {
  readonly code: DriverCode;
  /** Ends a sentence that begins with the scanner's name. */
  readonly words: string;
}

/** To POST ScanJobs. */
export const jobStatuses: Readonly<Record<number, Meaning>> = {
  401: { code: 'driver-failed', words: 'wants a login: allow scanning without one in its settings' },
  403: { code: 'driver-failed', words: 'does not allow scanning: allow it in its settings' },
  404: { code: 'driver-failed', words: 'knows no scan jobs at its address' },
  409: { code: 'unsupported', words: 'does not scan with these settings' },
  500: { code: 'driver-failed', words: 'refused the scan' },
  503: { code: 'busy', words: 'is busy' },
};

/** To GET NextDocument; 404 before the first page only, 503 when it does not end. */
export const pageStatuses: Readonly<Record<number, Meaning>> = {
  404: { code: 'no-paper', words: 'has no paper' },
  409: { code: 'paper-jam', words: 'has trouble with its feeder' },
  410: { code: 'cancelled', words: 'cancelled the scan itself' },
  500: { code: 'driver-failed', words: 'aborted the scan' },
  503: { code: 'timeout', words: 'is not ready' },
};

/** GET 409 where no feeder can be the cause. */
export const platenConflict: Meaning = { code: 'driver-failed', words: 'could not scan what lies on its glass' };

/** Any other status. */
export function meaningOf(table: Readonly<Record<number, Meaning>>, status: number): Meaning {
  if (status >= 300 && status < 400) return { code: 'driver-failed', words: 'answers with an address elsewhere, which is not followed: configure the address at which it scans' };
  return table[status] ?? { code: 'driver-failed', words: 'failed' };
}

export const faultCodes: Readonly<Record<FaultKind, DriverCode>> = {
  unreachable: 'device-offline',
  torn: 'device-offline',
  silent: 'timeout',
  'too much': 'unsupported',
  'not trusted': 'driver-failed',
  'not understood': 'driver-failed',
  'bad request': 'driver-failed',
  busy: 'busy',
};

/** Ends a sentence that says what went wrong. */
const repairs: Partial<Readonly<Record<FaultKind, string>>> = {
  unreachable: '; see that it is switched on and connected to the network',
  torn: '; see that it is switched on and connected to the network',
};

/** What was thrown, as an error with a driver's code. */
export function asScanError(error: unknown, name: string): ScanError {
  if (error instanceof EsclFault) return new ScanError(faultCodes[error.kind], `"${name}" failed: ${error.message}${repairs[error.kind] ?? ''}.`, { cause: error });
  if (codeOf(error) !== undefined) return asDriverError(error);
  return new ScanError('driver-failed', `"${name}" failed: ${error instanceof Error ? error.message : String(error)}.`, { cause: error });
}

/** The failure that a feeder's state is, if it is one. */
export function feederFault(adf: string, name: string): ScanError | undefined {
  const { code, words } = adfStates[adf] ?? {};
  return code && new ScanError(code, `"${name}" ${words} (${adf}).`);
}
