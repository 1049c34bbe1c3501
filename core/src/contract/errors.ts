/**
 * The error codes of Platen.
 *
 * Codes are read structurally (`codeOf`), never with `instanceof`: a vendor's package may carry its own copy of
 * this one. `ERRORS.md` explains each code to clients; the server maps codes to HTTP numbers.
 */

/** What a driver may throw (promise 9). Any other error counts as `driver-failed`. */
export const driverCodes = [
  'not-connected',
  'device-not-found',
  'device-offline',
  'busy',
  'no-paper',
  'paper-jam',
  'double-feed',
  'cover-open',
  'unsupported',
  'timeout',
  'cancelled',
  'driver-failed',
] as const;
export type DriverCode = (typeof driverCodes)[number];

/** Codes that core itself may throw: never the device's fault. */
export const serviceCodes = [
  'invalid-value',
  'no-source-open',
  'autoscan-off',
  'storage-failed',
  'storage-full',
  'no-pages',
  'service-ended',
  'internal',
] as const;
export type ServiceCode = (typeof serviceCodes)[number];

export type ErrorCode = DriverCode | ServiceCode;

/** Every failure of a device, and every reason to end a scan early. */
export class ScanError extends Error {
  override readonly name: string = 'ScanError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A field of a request with an invalid value. The message contains what is allowed. */
export class InvalidValue extends ScanError {
  override readonly name = 'InvalidValue';
  /** The field's name as the client wrote it, with its path: `parameters.jpegQuality`. */
  readonly field: string;
  /** The allowed values, to follow "takes": `an integer from 1 to 100`. */
  readonly accepts: string;
  /** The allowed values, if they can be listed. */
  readonly allowed: readonly unknown[] | undefined;

  constructor(field: string, accepts: string, allowed?: readonly unknown[]) {
    super('invalid-value', `${field} takes ${accepts}`);
    this.field = field;
    this.accepts = accepts;
    this.allowed = allowed;
  }
}

const known: ReadonlySet<unknown> = new Set([...driverCodes, ...serviceCodes]);

/** The code of any thrown value, if Platen knows it. */
export function codeOf(error: unknown): ErrorCode | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return known.has(code) ? (code as ErrorCode) : undefined;
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error || typeof (error as { message?: unknown } | null)?.message === 'string'
    ? (error as Error).message
    : String(error);
}

/**
 * The message of any thrown value, for use inside a sentence: its first line, without the name of the library that
 * reports it, and without a full stop.
 */
export function plainWordsOf(error: unknown): string {
  const [line = ''] = messageOf(error)
    .trim()
    .split(/[\r\n]/, 1);
  return line
    .replace(/\p{Cc}/gu, ' ')
    .replace(/^vips\w*: /i, '')
    .trim()
    .replace(/\.$/, '');
}

/** An error's message or a text, with a full stop, so that another sentence can follow. */
export function asSentence(words: string): string {
  const trimmed = words.trimEnd();
  return /[.!?…][)”"']*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** A driver's error with a driver's code: an unknown failure becomes `driver-failed` (promise 9). */
export function asDriverError(error: unknown): ScanError {
  if (error instanceof ScanError) return error;
  return new ScanError(codeOf(error) ?? 'driver-failed', messageOf(error), { cause: error });
}
