/** Failures over a link: a code of the contract and a sentence. */
import { codeOf, driverCodes, messageOf, MOST_TEXT, ScanError, textOf, wordOf, type Fields } from '@platen/core/plugin';

/** What a driver threw; a code that is not a driver's is `driver-failed` (promise 9). */
export function errorFields(error: unknown): { code: string; message: string } {
  const thrown = codeOf(error);
  const code = driverCodes.find(each => each === thrown) ?? 'driver-failed';
  return { code, message: messageOf(error).slice(0, MOST_TEXT) };
}

export function readError(fields: Fields): ScanError {
  return new ScanError(wordOf(fields, 'code', driverCodes), textOf(fields, 'message'));
}

/** The reason of an aborted signal: the other end's driver is to see the same code. */
export function reasonFields(reason: unknown): { code: string; message: string } {
  const { message } = errorFields(reason);
  return { code: codeOf(reason) === 'timeout' ? 'timeout' : 'cancelled', message };
}

export function readReason(fields: Fields): ScanError {
  return new ScanError(wordOf(fields, 'code', ['timeout', 'cancelled']), textOf(fields, 'message'));
}
