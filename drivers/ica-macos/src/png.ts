/** What a PNG that the scanner wrote says of itself: ISO/IEC 15948, chunks IHDR and pHYs. */
import { ScanError, type Pixels } from '@platen/core/plugin';

const INCH_IN_METRES = 0.0254;
/** Signature and IHDR. */
export const PNG_HEAD = 33;

export interface PngFacts {
  readonly width: number;
  readonly height: number;
  readonly pixels: Pixels;
}

/** @throws ScanError `driver-failed` for what is no PNG */
export function readPng(head: Buffer): PngFacts {
  if (head.length < PNG_HEAD || head.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new ScanError('driver-failed', 'The scanner wrote a file that is no PNG.');
  const [depth, colour] = [head.readUInt8(24), head.readUInt8(25)];
  // Grey and grey with alpha are 0 and 4; a palette may be of colours.
  const isGrey = colour === 0 || colour === 4;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20), pixels: !isGrey ? 'rgb24' : depth === 1 ? 'bw1' : 'gray8' };
}

/** Pixels per inch across; undefined where the file does not say. */
export function densityOf(png: Buffer): number | undefined {
  for (let at = PNG_HEAD; at + 21 <= png.length; at += 12 + png.readUInt32BE(at)) {
    const name = png.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') return undefined;
    if (name === 'pHYs') return png.readUInt8(at + 16) === 1 ? Math.round(png.readUInt32BE(at + 8) * INCH_IN_METRES) : undefined;
  }
  return undefined;
}
