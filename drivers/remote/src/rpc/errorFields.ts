/** Failures on the wire: a code of the contract and a sentence. */
import { driverCodes } from '@platen/core/driver';
import { codeOf, messageOf, ScanError } from '@platen/core/plugin';
import { MOST_TEXT, textOf, wordOf, type Fields } from '@platen/core/wire';

/** Of what a driver threw. A code that is not a driver's becomes `driver-failed` (promise 9). */
export function errorFields(error: unknown): { code: string; message: string } {
  const thrown = codeOf(error);
  const code = driverCodes.find(each => each === thrown) ?? 'driver-failed';
  return { code, message: messageOf(error).slice(0, MOST_TEXT) };
}

export function readError(fields: Fields): ScanError {
  return new ScanError(wordOf(fields, 'code', driverCodes), textOf(fields, 'message'));
}

/** Of an aborted signal's reason: the driver at the other end sees the same code. */
export function reasonFields(reason: unknown): { code: string; message: string } {
  const { message } = errorFields(reason);
  return { code: codeOf(reason) === 'timeout' ? 'timeout' : 'cancelled', message };
}

export function readReason(fields: Fields): ScanError {
  return new ScanError(wordOf(fields, 'code', ['timeout', 'cancelled']), textOf(fields, 'message'));
}
