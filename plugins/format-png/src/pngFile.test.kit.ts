/** A PNG parsed by hand, for tests: its chunks with their checksums proved, and what its header says. */
import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';

export interface PngFile {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** Bits per pixel. */
  readonly depth: number;
  readonly bitDepth: number;
  /** 0 grey, 2 colour, 3 palette. */
  readonly colourType: number;
  /** Pixels per metre as stored, horizontal and vertical. */
  readonly perMetre: readonly [number, number];
  readonly chunks: readonly string[];
}

export function pngFile(bytes: Uint8Array): PngFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert.equal(file.toString('hex', 0, 8), '89504e470d0a1a0a');
  const chunks: string[] = [];
  const bodies = new Map<string, Buffer>();
  let at = 8;
  while (at < file.length) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    assert.equal(
      file.readUInt32BE(at + 8 + length),
      crc32(file.subarray(at + 4, at + 8 + length)),
      `checksum of ${type}`,
    );
    chunks.push(type);
    bodies.set(type, file.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  assert.deepEqual([chunks[0], chunks.at(-1), at], ['IHDR', 'IEND', file.length]);
  const header = bodies.get('IHDR')!;
  const resolution = bodies.get('pHYs');
  assert.ok(resolution && resolution[8] === 1, 'pHYs in pixels per metre');
  assert.ok(chunks.indexOf('pHYs') < chunks.indexOf('IDAT'), 'pHYs comes before the pixels');
  const perMetre = [resolution.readUInt32BE(0), resolution.readUInt32BE(4)] as const;
  const [bitDepth, colourType] = [header[8]!, header[9]!];
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    dpi: Math.round(perMetre[0] * 0.0254),
    depth: bitDepth * (colourType === 2 ? 3 : 1),
    bitDepth,
    colourType,
    perMetre,
    chunks,
  };
}
