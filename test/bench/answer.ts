/** Takes a scan's answer apart while it arrives: the images one by one, and the JSON around them without its images. */

const OPEN = Buffer.from('"base64Data":"');
const QUOTE = 0x22;

export interface AnswerReader {
  take(chunk: Buffer): void;
  /** @returns the answer's JSON, with `base64Data` empty in every image */
  end(): string;
  /** Characters of base64 of each image. */
  readonly lengths: readonly number[];
  /** The images' base64, in pieces; empty unless they were to be kept. */
  readonly images: readonly (readonly Buffer[])[];
}

/**
 * Costs a search for one byte, so that it may run while the clock does.
 * @param keep holds on to the images
 */
export function readAnswer(keep: boolean): AnswerReader {
  const text: Buffer[] = [];
  const lengths: number[] = [];
  const images: Buffer[][] = [];
  let rest: Buffer = Buffer.alloc(0);
  let inImage = false;

  const image = (chunk: Buffer): Buffer => {
    const end = chunk.indexOf(QUOTE);
    const part = end < 0 ? chunk : chunk.subarray(0, end);
    lengths.push((lengths.pop() ?? 0) + part.length);
    if (keep) images.at(-1)?.push(part);
    if (end < 0) return chunk.subarray(chunk.length);
    inImage = false;
    return chunk.subarray(end);
  };

  /** What could be the beginning of a mark waits for the next chunk. */
  const json = (chunk: Buffer): Buffer => {
    const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const at = all.indexOf(OPEN);
    const end = at < 0 ? Math.max(0, all.length - OPEN.length + 1) : at + OPEN.length;
    text.push(all.subarray(0, end));
    rest = at < 0 ? all.subarray(end) : rest.subarray(rest.length);
    if (at < 0) return all.subarray(all.length);
    inImage = true;
    lengths.push(0);
    if (keep) images.push([]);
    return all.subarray(end);
  };

  return {
    take(chunk) {
      for (let left = chunk; left.length > 0;) left = inImage ? image(left) : json(left);
    },
    end: () => Buffer.concat([...text, rest]).toString('utf8'),
    lengths,
    images,
  };
}
