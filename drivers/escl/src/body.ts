/** The body of an answer: whole, and not larger than it may be. */
import type { IncomingMessage } from 'node:http';
import { EsclFault } from './esclFault.js';

/** An image's header lies within the first bytes, an embedded thumbnail and profile included. */
const BEGINNING = 256 * 1024;

/**
 * Looks at the beginning of a body.
 * @param isEnough no more will be shown: a number is expected, or an error
 * @returns the most bytes that the whole body may have; undefined while it does not tell
 */
export type Measure = (beginning: Uint8Array, isEnough: boolean) => number | undefined;

/** @throws what `measure` throws; EsclFault `torn` when it ends before its Content-Length, or its last chunk, has come; `too much` */
export async function bodyOf(response: IncomingMessage, first: number, measure: Measure | undefined): Promise<Uint8Array> {
  let most = first;
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > most) throw tooMuch(most);
  const parts: Uint8Array[] = [];
  let length = 0;
  let isMeasured = measure === undefined;
  /** It is looked at again when there is twice as much. */
  let lookAt = 1;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length > most) throw tooMuch(most);
      if (isMeasured || length < lookAt) continue;
      lookAt = length * 2;
      const found = measure?.(joined(parts, length), length > BEGINNING);
      if (found === undefined) continue;
      [most, isMeasured] = [found, true];
      if (Math.max(length, announced) > most) throw tooMuch(most);
    }
  } catch (error) {
    if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'ECONNRESET') throw torn(length, announced);
    throw error;
  }
  if (!response.complete) throw torn(length, announced);
  return joined(parts, length);
}

/** In memory of its own: what is given away shares none with another page. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

function torn(length: number, announced: number): EsclFault {
  return new EsclFault('torn', `the connection ended after ${length}${announced > 0 ? ` of ${announced}` : ''} bytes of its answer`);
}

function tooMuch(most: number): EsclFault {
  return new EsclFault('too much', `it sends more than ${most} bytes`);
}
