/** A scan's answer, read as it comes: images become Blobs on the way, since all of a stack in one string is more than a browser holds. */
import { bytesOf } from './page.js';

/** What the service writes before an image; inside of a JSON string its quotes would have backslashes. */
const MARK = '"base64Data":"';

export interface LargeAnswer {
  /** The JSON, with the number of its Blob in place of each image. */
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

  /** Decodes whole groups of four, and keeps what is left. */
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
      // The mark itself may be cut in two.
      const sure = Math.max(0, rest.length - MARK.length);
      text += rest.slice(0, sure);
      rest = rest.slice(sure);
    },
    end: () => ({ text: text + rest, blobs }),
  };
}
