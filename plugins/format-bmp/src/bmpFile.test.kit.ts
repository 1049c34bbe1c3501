/** A BMP parsed by hand, for tests: what its headers say, and its pixels through its palette. */
import assert from 'node:assert/strict';

export interface BmpFile {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** Bits per pixel. */
  readonly depth: number;
  /** Pixels per metre as stored, horizontal and vertical. */
  readonly perMetre: readonly [number, number];
  /** Grey levels, from index 0 on; empty for colour. */
  readonly palette: readonly number[];
  /** Whether every byte between the rows is 0. */
  readonly cleanPadding: boolean;
  /** Red, green and blue, from the top left corner. */
  at(x: number, y: number): readonly [number, number, number];
}

export function bmpFile(bytes: Uint8Array): BmpFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert.equal(file.toString('latin1', 0, 2), 'BM');
  assert.equal(file.readUInt32LE(2), file.length, 'the size of the file');
  assert.equal(file.readUInt32LE(6), 0, 'reserved');
  const start = file.readUInt32LE(10);
  assert.equal(file.readUInt32LE(14), 40, 'BITMAPINFOHEADER');
  const [width, height] = [file.readInt32LE(18), file.readInt32LE(22)];
  assert.ok(width > 0 && height > 0, 'a positive height: from the bottom up');
  assert.equal(file.readUInt16LE(26), 1, 'one plane');
  const depth = file.readUInt16LE(28);
  assert.equal(file.readUInt32LE(30), 0, 'no compression');
  const colours = file.readUInt32LE(46);
  assert.equal(colours, { 24: 0, 8: 256, 1: 2 }[depth], `colours of ${depth} bits`);
  assert.equal(file.readUInt32LE(50), 0, 'all colours are important');
  assert.equal(start, 54 + colours * 4, 'the pixels follow the palette');
  const stride = Math.floor((depth * width + 31) / 32) * 4;
  assert.equal(file.readUInt32LE(34), stride * height, 'the size of the pixels');
  assert.equal(file.length, start + stride * height);
  const palette = Array.from({ length: colours }, (_, i) => {
    const [blue, green, red, reserved] = file.subarray(54 + i * 4);
    assert.deepEqual([green, blue, reserved], [red, red, 0], `colour ${i} is a grey`);
    return red!;
  });
  const perMetre = [file.readInt32LE(38), file.readInt32LE(42)] as const;
  const rows = Array.from({ length: height }, (_, y) =>
    file.subarray(start + (height - 1 - y) * stride, start + (height - y) * stride),
  );
  return {
    width,
    height,
    dpi: Math.round(perMetre[0] * 0.0254),
    depth,
    perMetre,
    palette,
    cleanPadding: rows.every(row => row.subarray(Math.ceil((width * depth) / 8)).every(byte => byte === 0)),
    at(x, y) {
      const row = rows[y]!;
      if (depth === 24) return [row[x * 3 + 2]!, row[x * 3 + 1]!, row[x * 3]!];
      const grey = palette[depth === 8 ? row[x]! : (row[x >> 3]! >> (7 - (x & 7))) & 1]!;
      return [grey, grey, grey];
    },
  };
}
