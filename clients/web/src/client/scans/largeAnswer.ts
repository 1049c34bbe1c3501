/** A scan's answer, parsed as it arrives: images become Blobs at once, because a stack in one string is too long. */
import { bytesOf } from './page.js';

/** The text before an image; inside a JSON string, its quotes would be escaped. */
const MARK = '"base64Data":"';

export interface LargeAnswer {
  /** The JSON, with each image replaced by the index of its Blob. */
  readonly text: string;
  readonly blobs: readonly Blob[];
}

export async function readLarge(body: ReadableStream<Uint8Array>): Promise<LargeAnswer> {
  const reader = createLargeReader();
  const decoder = new TextDecoder();
  const source = body.getReader();
  for (let chunk = await source.read(); !chunk.done; chunk = await source.read())
    reader.take(decoder.decode(chunk.value, { stream: true }));
  return reader.end();
}

export function createLargeReader(): { take(piece: string): void; end(): LargeAnswer } {
  const blobs: Blob[] = [];
  let text = '';
  let rest = '';
  let parts: Uint8Array<ArrayBuffer>[] | undefined;

  /** Decodes whole groups of four characters, and keeps the rest. */
  const decode = (base64: string): void => {
    const whole = base64.length - (base64.length % 4);
    if (whole > 0) parts?.push(bytesOf(base64.slice(0, whole)));
    rest = base64.slice(whole);
  };

  return {
    take(piece) {
      rest += piece;
      for (;;) {
        const end = rest.indexOf(parts ? '"' : MARK);
        if (end < 0) break;
        if (parts) {
          const after = rest.slice(end);
          decode(rest.slice(0, end));
          blobs.push(new Blob(parts));
          parts = undefined;
          rest = after;
        } else {
          text += `${rest.slice(0, end)}${MARK}${blobs.length}`;
          rest = rest.slice(end + MARK.length);
          parts = [];
        }
      }
      if (parts) return decode(rest);
      // The mark itself may be split between two pieces.
      const sure = Math.max(0, rest.length - MARK.length);
      text += rest.slice(0, sure);
      rest = rest.slice(sure);
    },
    end: () => ({ text: text + rest, blobs }),
  };
}
