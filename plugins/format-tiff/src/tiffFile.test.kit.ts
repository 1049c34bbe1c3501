/** A TIFF parsed by hand, for tests: its directory, tag by tag, as in TIFF 6.0, section 2. */
import assert from 'node:assert/strict';

export interface TiffFile {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** Bits per pixel. */
  readonly depth: number;
  /** 1 none, 4 CCITT G4, 5 LZW, 8 deflate. */
  readonly compression: number;
  /** 0 white is zero, 1 black is zero, 2 colour. */
  readonly photometric: number;
  /** Pixels per inch as fractions, horizontal and vertical. */
  readonly resolution: readonly (readonly [number, number])[];
  readonly tags: readonly number[];
}

/** Bytes of a value of type 1 to 5: BYTE, ASCII, SHORT, LONG, RATIONAL. */
const SIZES = [0, 1, 1, 2, 4, 8];
const INCH = 2;

export function tiffFile(bytes: Uint8Array): TiffFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert.equal(file.toString('latin1', 0, 4), 'II*\0');
  const directory = file.readUInt32LE(4);
  const values = new Map<number, number[]>();
  const tags = Array.from({ length: file.readUInt16LE(directory) }, (_, i) => {
    const at = directory + 2 + i * 12;
    const [tag, type, count] = [file.readUInt16LE(at), file.readUInt16LE(at + 2), file.readUInt32LE(at + 4)];
    const size = SIZES[type]!;
    const from = size * count > 4 ? file.readUInt32LE(at + 8) : at + 8;
    const numbers = Array.from({ length: type === 5 ? count * 2 : count }, (__, n) => {
      if (size === 1) return file[from + n]!;
      return size === 2 ? file.readUInt16LE(from + n * 2) : file.readUInt32LE(from + n * 4);
    });
    values.set(tag, numbers);
    return tag;
  });
  assert.deepEqual(
    tags,
    tags.toSorted((a, b) => a - b),
    'tags in ascending order',
  );
  assert.equal(file.readUInt32LE(directory + 2 + tags.length * 12), 0, 'one image');
  const all = (tag: number): number[] => values.get(tag) ?? assert.fail(`no tag ${tag}`);
  const one = (tag: number): number => all(tag)[0]!;
  assert.equal(one(296), INCH, 'the resolution is in pixels per inch');
  const resolution = [282, 283].map(tag => [one(tag), all(tag)[1]!] as const);
  const [[across, by], down] = resolution as [[number, number], [number, number]];
  assert.deepEqual(down, [across, by], 'the same in both directions');
  assert.equal(all(258).length, one(277), 'a depth for each sample');
  const ends = all(273).map((start, i) => start + all(279)[i]!);
  assert.ok(
    ends.every(end => end <= file.length),
    'the strips are in the file',
  );
  return {
    width: one(256),
    height: one(257),
    dpi: Math.round(across / by),
    depth: all(258).reduce((sum, bits) => sum + bits),
    compression: one(259),
    photometric: one(262),
    resolution,
    tags,
  };
}
