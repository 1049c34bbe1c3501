/** The contract's code for each HTTP status of a device, at each step of a job. */
import { asDriverError } from '@platen/core/driver';
import { codeOf, ScanError, type DriverCode } from '@platen/core/plugin';
import { adfStates } from '../protocol/adfStates.js';
import { EsclError, type ErrorKind } from './esclError.js';

export interface Meaning {
  readonly code: DriverCode;
  /** Ends a sentence that begins with the scanner's name. */
  readonly text: string;
}

/** To POST ScanJobs. */
export const jobStatuses: Readonly<Record<number, Meaning>> = {
  401: { code: 'driver-failed', text: 'requires a login: allow scanning without one in its settings' },
  403: { code: 'driver-failed', text: 'does not allow scanning: enable it in its settings' },
  404: { code: 'driver-failed', text: 'has no ScanJobs at its address' },
  409: { code: 'unsupported', text: 'does not scan with these settings' },
  500: { code: 'driver-failed', text: 'refused the scan' },
  503: { code: 'busy', text: 'is busy' },
};

/** To GET NextDocument; 404 before the first page only, 503 when it does not end. */
export const pageStatuses: Readonly<Record<number, Meaning>> = {
  404: { code: 'no-paper', text: 'has no paper' },
  409: { code: 'paper-jam', text: 'has a problem with its feeder' },
  410: { code: 'cancelled', text: 'cancelled the scan itself' },
  500: { code: 'driver-failed', text: 'aborted the scan' },
  503: { code: 'timeout', text: 'is not ready' },
};

/** GET 409 of a scan from the flatbed: no feeder can be the cause. */
export const conflictOnFlatbed: Meaning = { code: 'driver-failed', text: 'could not scan from its flatbed' };

/** Any other status. */
export function meaningOf(table: Readonly<Record<number, Meaning>>, status: number): Meaning {
  if (status >= 300 && status < 400)
    return {
      code: 'driver-failed',
      text: 'redirects to another address, which is not followed: configure the address at which it scans',
    };
  return table[status] ?? { code: 'driver-failed', text: 'failed' };
}

export const errorCodes: Readonly<Record<ErrorKind, DriverCode>> = {
  unreachable: 'device-offline',
  truncated: 'device-offline',
  'no response': 'timeout',
  'too large': 'unsupported',
  untrusted: 'driver-failed',
  malformed: 'driver-failed',
  'bad request': 'driver-failed',
  busy: 'busy',
};

/** What to do, at the end of a message that describes the failure. */
const repairs: Partial<Readonly<Record<ErrorKind, string>>> = {
  unreachable: '; check that it is switched on and connected to the network',
  truncated: '; check that it is switched on and connected to the network',
};

/** Any error, as one with a driver's code. */
export function asScanError(error: unknown, name: string): ScanError {
  if (error instanceof EsclError)
    return new ScanError(errorCodes[error.kind], `"${name}" failed: ${error.message}${repairs[error.kind] ?? ''}.`, {
      cause: error,
    });
  if (codeOf(error) !== undefined) return asDriverError(error);
  return new ScanError(
    'driver-failed',
    `"${name}" failed: ${error instanceof Error ? error.message : String(error)}.`,
    { cause: error },
  );
}

/** The error that an AdfState stands for; undefined if the feeder works. */
export function feederFault(adf: string, name: string): ScanError | undefined {
  const { code, text } = adfStates[adf] ?? {};
  return code && new ScanError(code, `"${name}" ${text} (${adf}).`);
}
