/**
 * The codes with which anything in Platen fails.
 *
 * Codes are read structurally (`codeOf`), never with `instanceof`: a vendor's package may carry its own copy of
 * this one. What each code means to a client stands in `ERRORS.md`; the HTTP numbers stand in the server.
 */

/** What a driver may throw (promise 9). Anything else that it throws counts as `driver-failed`. */
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

/** What core itself may throw besides: never the device's fault. */
export const serviceCodes = ['invalid-value', 'no-source-open', 'autoscan-off', 'storage-failed', 'internal'] as const;
export type ServiceCode = (typeof serviceCodes)[number];

export type ErrorCode = DriverCode | ServiceCode;

/** Every failure of a device, and every reason for which a scan ends early. */
export class ScanError extends Error {
  override readonly name: string = 'ScanError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A field of a request whose value is not taken. The message is a sentence that says what is. */
export class InvalidValue extends ScanError {
  override readonly name = 'InvalidValue';
  /** The field's name as the client wrote it, with its path: `parameters.jpegQuality`. */
  readonly field: string;
  /** What it takes, to follow "takes": `an integer from 1 to 100`. */
  readonly accepts: string;
  /** The values that it takes, where they can be counted. */
  readonly allowed: readonly unknown[] | undefined;

  constructor(field: string, accepts: string, allowed?: readonly unknown[]) {
    super('invalid-value', `${field} takes ${accepts}`);
    this.field = field;
    this.accepts = accepts;
    this.allowed = allowed;
  }
}

const known: ReadonlySet<unknown> = new Set([...driverCodes, ...serviceCodes]);

/** The code of any thrown thing, if it carries one that Platen knows. */
export function codeOf(error: unknown): ErrorCode | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return known.has(code) ? (code as ErrorCode) : undefined;
}

/** The words of any thrown thing. */
export function messageOf(error: unknown): string {
  return error instanceof Error || typeof (error as { message?: unknown } | null)?.message === 'string'
    ? (error as Error).message
    : String(error);
}

/**
 * The words of any thrown thing, fit to stand inside a sentence: the first line, without the name of the library that
 * says it, and without a full stop.
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

/** What was thrown, or what is to be said, with a full stop: the next sentence may follow. */
export function asSentence(words: string): string {
  const trimmed = words.trimEnd();
  return /[.!?…][)”"']*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** What a driver threw, as an error with a driver's code: an unknown failure is `driver-failed` (promise 9). */
export function asDriverError(error: unknown): ScanError {
  if (error instanceof ScanError) return error;
  return new ScanError(codeOf(error) ?? 'driver-failed', messageOf(error), { cause: error });
}
