/** The text of a code, from the bytes that it holds. */

interface Content {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** zxing's number: 0 text, 1 binary, 2 mixed, … */
  readonly contentType: number;
  /** The code declares its own character set. */
  readonly hasECI: boolean;
}

const BINARY = 1;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * In this order: the character set that the code declares; UTF-8 where the bytes are UTF-8, which zxing's guess may
 * miss; for binary content ISO 8859-1, one character a byte, so that a client can restore the bytes; zxing's guess.
 */
export function textOf({ bytes, text, contentType, hasECI }: Content): string {
  if (hasECI) return text;
  try {
    return utf8.decode(bytes);
  } catch {
    return contentType === BINARY ? Buffer.from(bytes).toString('latin1') : text;
  }
}
