/** Code words as bytes, most significant bit first. */

export interface BitWriter {
  /** @param bits 1 to 13 */
  put(word: number, bits: number): void;
  /** Fills the last byte with zeros. */
  end(): Uint8Array;
}

/** @param bytes room to begin with; it grows */
export function createBitWriter(bytes: number): BitWriter {
  let buffer = new Uint8Array(bytes);
  let [at, held, count] = [0, 0, 0];

  function put(word: number, bits: number): void {
    held = (held << bits) | word;
    count += bits;
    while (count >= 8) {
      count -= 8;
      if (at === buffer.length) {
        const more = new Uint8Array(buffer.length * 2);
        more.set(buffer);
        buffer = more;
      }
      buffer[at++] = held >> count;
    }
  }

  return {
    put,
    end() {
      if (count > 0) put(0, 8 - count);
      return buffer.slice(0, at);
    },
  };
}
