/** An error of the connection to a device or of its response, as opposed to one that the device reports. */

export type ErrorKind =
  | 'unreachable'
  | 'truncated'
  | 'no response'
  | 'too large'
  | 'untrusted'
  | 'malformed'
  | 'bad request'
  | 'busy';

export class EsclError extends Error {
  override readonly name = 'EsclError';
  readonly kind: ErrorKind;

  /** @param message ends a sentence about the device, which is "it" in the message */
  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(short(message), options);
    this.kind = kind;
  }
}

const MAX_LENGTH = 300;

/** One line of limited length: it may quote the device. */
export function short(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

/** The system's codes for a device that cannot be reached. */
const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
]);

/** An error of Node's as an EsclError; any other error as it is. */
export function asEsclError(error: unknown): unknown {
  if (error instanceof EsclError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (unreachable.has(code)) return new EsclError('unreachable', `it cannot be reached (${code})`, { cause: error });
  if (code.startsWith('HPE_'))
    return new EsclError('malformed', `its response is not HTTP (${error.message})`, { cause: error });
  if (/^ERR_(?:SSL|TLS)|^EPROTO$/.test(code))
    return new EsclError('unreachable', `no TLS connection to it (${error.message})`, { cause: error });
  return error;
}
