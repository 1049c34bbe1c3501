/** A PNG's own header: ISO/IEC 15948, chunks IHDR and pHYs. */
import type { ImageFacts } from './image.js';

const INCH_IN_METRES = 0.0254;
const COLOUR = 2;
const PALETTE = 3;

export function readPng(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, colour] = [bytes.readUInt8(24), bytes.readUInt8(25)];
  if (width === 0 || height === 0) return undefined;
  const density = densityOf(bytes);
  const isColour = (colour & COLOUR) !== 0 && !(colour === PALETTE && depth === 1);
  return {
    mimeType: 'image/png',
    width,
    height,
    pixels: isColour ? 'rgb24' : depth === 1 ? 'bw1' : 'gray8',
    ...(density && { density }),
    isWhole: bytes.lastIndexOf('IEND', undefined, 'latin1') > 33,
  };
}

function densityOf(bytes: Buffer): ImageFacts['density'] {
  for (let at = 33; at + 21 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') return undefined;
    if (name !== 'pHYs') continue;
    if (bytes.readUInt8(at + 16) !== 1) return undefined;
    const [x, y] = [bytes.readUInt32BE(at + 8) * INCH_IN_METRES, bytes.readUInt32BE(at + 12) * INCH_IN_METRES];
    return x > 0 && y > 0 ? { x, y } : undefined;
  }
  return undefined;
}
