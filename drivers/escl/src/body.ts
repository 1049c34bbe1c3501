/** The body of an answer: whole, and not larger than it may be. */
import type { IncomingMessage } from 'node:http';
import { EsclFault } from './esclFault.js';

/** An image's header lies within the first bytes, an embedded thumbnail and profile included. */
const BEGINNING = 256 * 1024;

/** @throws EsclFault `torn` when it ends before its Content-Length, or its last chunk, has come; `too much` */
export async function bodyOf(response: IncomingMessage, most: number, onBeginning: ((bytes: Uint8Array) => boolean) | undefined): Promise<Uint8Array> {
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > most) throw tooMuch(most);
  const parts: Uint8Array[] = [];
  let length = 0;
  let isSeen = onBeginning === undefined;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length > most) throw tooMuch(most);
      if (!isSeen) isSeen = length > BEGINNING || onBeginning?.(joined(parts, length)) === true;
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
