/** Reads a stream of bytes in pieces of the reader's choice; holds no more than a chunk and what is taken. */

export interface ByteReader {
  /** @returns undefined if the stream has fewer bytes */
  take(length: number): Promise<Buffer | undefined>;
  /** The next bytes, as many as there are at once. @returns undefined at the end; never an empty buffer */
  some(most: number): Promise<Buffer | undefined>;
  /** @returns false if the stream has fewer bytes */
  skip(length: number): Promise<boolean>;
}

/** @param most bytes of the stream: it ends there */
export function byteReader(stream: AsyncIterable<Buffer>, most: number): ByteReader {
  const chunks = stream[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  let read = 0;

  async function next(): Promise<Buffer | undefined> {
    const { value, done } = await chunks.next();
    if (done === true) return undefined;
    read += value.length;
    return read > most ? undefined : value;
  }

  async function some(length: number): Promise<Buffer | undefined> {
    while (held.length === 0) {
      const chunk = await next();
      if (!chunk) return undefined;
      held = chunk;
    }
    const part = held.subarray(0, length);
    held = held.subarray(part.length);
    return part;
  }

  return {
    some,
    async take(length) {
      const parts = [held];
      for (let have = held.length; have < length;) {
        const chunk = await next();
        if (!chunk) return undefined;
        parts.push(chunk);
        have += chunk.length;
      }
      const all = Buffer.concat(parts);
      held = all.subarray(length);
      return all.subarray(0, length);
    },
    async skip(length) {
      for (let left = length; left > 0;) {
        const part = await some(left);
        if (!part) return false;
        left -= part.length;
      }
      return true;
    },
  };
}
