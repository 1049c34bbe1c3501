/** What went wrong on the way to a device and back, before it could say anything itself. */

export type FaultKind = 'unreachable' | 'torn' | 'silent' | 'too much' | 'not trusted' | 'not understood' | 'bad request' | 'busy';

export class EsclFault extends Error {
  override readonly name = 'EsclFault';
  readonly kind: FaultKind;

  /** @param message ends a sentence about the device, with "it" for the device */
  constructor(kind: FaultKind, message: string, options?: ErrorOptions) {
    super(short(message), options);
    this.kind = kind;
  }
}

const MOST_WORDS = 300;

/** One line that is not endless: a device's own words may be in it. */
export function short(words: string): string {
  const line = words.replace(/\p{C}+/gu, ' ').trim();
  return line.length > MOST_WORDS ? `${line.slice(0, MOST_WORDS)}…` : line;
}

/** The system's codes for a device that is away; a connection that ends early is told apart by where it ends. */
const away = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);

export function faultOf(error: unknown): unknown {
  if (error instanceof EsclFault || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (away.has(code)) return new EsclFault('unreachable', `no connection to it (${code})`, { cause: error });
  if (code.startsWith('HPE_')) return new EsclFault('not understood', `its answer is no HTTP (${error.message})`, { cause: error });
  if (/^ERR_(?:SSL|TLS)|^EPROTO$/.test(code)) return new EsclFault('unreachable', `no secure connection to it (${error.message})`, { cause: error });
  return error;
}
