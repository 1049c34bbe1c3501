/** A JPEG parsed by hand, for tests: its segments, and what its headers say. */
import assert from 'node:assert/strict';

export interface JpegFile {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** Bits per pixel. */
  readonly depth: number;
  readonly channels: number;
  /** Horizontal and vertical sampling of each channel, one hexadecimal digit each: `22`. */
  readonly sampling: readonly string[];
  /** Markers up to the start of the scan. */
  readonly markers: readonly number[];
}

const [APP0, SOF0, SOF2, SOS] = [0xe0, 0xc0, 0xc2, 0xda];

export function jpegFile(bytes: Uint8Array): JpegFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert.equal(file.toString('hex', 0, 2), 'ffd8', 'start of image');
  assert.equal(file.toString('hex', file.length - 2), 'ffd9', 'end of image');
  const markers: number[] = [];
  const bodies = new Map<number, Buffer>();
  for (let at = 2; markers.at(-1) !== SOS; at += 2 + file.readUInt16BE(at + 2)) {
    assert.equal(file[at], 0xff, `a marker at ${at}`);
    markers.push(file[at + 1]!);
    bodies.set(file[at + 1]!, file.subarray(at + 4, at + 2 + file.readUInt16BE(at + 2)));
  }
  assert.equal(markers[0], APP0, 'JFIF comes first');
  const jfif = bodies.get(APP0)!;
  assert.equal(jfif.toString('latin1', 0, 5), 'JFIF\0');
  assert.equal(jfif[7], 1, 'the resolution is in dots per inch');
  assert.equal(jfif.readUInt16BE(8), jfif.readUInt16BE(10), 'the same in both directions');
  const frame = bodies.get(SOF0) ?? bodies.get(SOF2);
  assert.ok(frame, 'a frame header');
  const channels = frame[5]!;
  return {
    width: frame.readUInt16BE(3),
    height: frame.readUInt16BE(1),
    dpi: jfif.readUInt16BE(8),
    depth: frame[0]! * channels,
    channels,
    sampling: Array.from({ length: channels }, (_, i) => frame[7 + i * 3]!.toString(16)),
    markers,
  };
}
