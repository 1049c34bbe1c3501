/** The body of an HTTP response: read whole, with a limit on its size. */
import type { IncomingMessage } from 'node:http';
import { EsclError } from './esclError.js';

/** An image's header, with an embedded thumbnail and profile, is within this many bytes. */
const HEADER_BYTES = 256 * 1024;

/**
 * Decides by the first bytes of a body how large the whole body may be.
 * @param isLast no more bytes will be shown: return a number or throw
 * @returns the limit in bytes; undefined to be asked again with more bytes
 */
export type BodyLimit = (start: Uint8Array, isLast: boolean) => number | undefined;

/**
 * @param maxBytes the limit until `limitOf` sets another one
 * @throws what `limitOf` throws; EsclError `truncated` when the body ends before its announced end, or `too large`
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  limitOf: BodyLimit | undefined,
): Promise<Uint8Array> {
  let limit = maxBytes;
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > limit) throw tooMuch(limit);
  const parts: Uint8Array[] = [];
  let length = 0;
  let isLimited = limitOf === undefined;
  /** `limitOf` is asked again when the length has doubled. */
  let nextLength = 1;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length > limit) throw tooMuch(limit);
      if (isLimited || length < nextLength) continue;
      nextLength = length * 2;
      const found = limitOf?.(joined(parts, length), length > HEADER_BYTES);
      if (found === undefined) continue;
      [limit, isLimited] = [found, true];
      if (Math.max(length, announced) > limit) throw tooMuch(limit);
    }
  } catch (error) {
    if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ECONNRESET') throw torn(length, announced);
    throw error;
  }
  if (!response.complete) throw torn(length, announced);
  return joined(parts, length);
}

/** A copy: the buffer of a page is given away and never shared with another page. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

function torn(length: number, announced: number): EsclError {
  return new EsclError(
    'truncated',
    `the connection ended after ${length}${announced > 0 ? ` of ${announced}` : ''} bytes of the response`,
  );
}

function tooMuch(limit: number): EsclError {
  return new EsclError('too large', `it sends more than ${limit} bytes`);
}
