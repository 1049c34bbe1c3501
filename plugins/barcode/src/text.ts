/** The text of a code: its bytes, as they were put in. */

interface Content {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** As zxing numbers them: 0 text, 1 binary, 2 mixed, … */
  readonly contentType: number;
  /** The code says itself how its bytes are to be read. */
  readonly hasECI: boolean;
}

const BINARY = 1;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * UTF-8 where the bytes are UTF-8, which a guess at the character set may miss; what the code itself declares before
 * that; and bytes that are no text at all one by one as ISO 8859-1, so that a client can take them back.
 */
export function textOf({ bytes, text, contentType, hasECI }: Content): string {
  if (hasECI) return text;
  try {
    return utf8.decode(bytes);
  } catch {
    return contentType === BINARY ? Buffer.from(bytes).toString('latin1') : text;
  }
}
