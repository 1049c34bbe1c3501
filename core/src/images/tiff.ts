/** A TIFF (TIFF 6.0): what its first directory says, and whether the strips or tiles that it names lie in the file. */

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const STRIP_OFFSETS = 273;
const CHANNELS = 277;
const STRIP_COUNTS = 279;
const TILE_OFFSETS = 324;
const TILE_COUNTS = 325;
const PALETTE = 3;
/** BYTE, ASCII and SHORT are shorter than the LONG that everything else here is. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2 };
/** A strip for each row of the highest page is enough. */
const MOST_VALUES = 65_536;

export interface TiffHeader {
  readonly width: number;
  readonly height: number;
  /** Samples of a pixel; undefined where a palette says its colour. */
  readonly channels: number | undefined;
  readonly bitsPerPixel: number;
  readonly compressed: boolean;
  readonly offsets: readonly number[];
  readonly counts: readonly number[];
}

/** Sections 2 and 8. @throws RangeError where something that it names lies past the end */
export function readTiff(file: Buffer): TiffHeader | undefined {
  const values = directoryOf(file);
  const [width = 0, height = 0] = [values(WIDTH)[0], values(HEIGHT)[0]];
  const [samples = 1] = values(CHANNELS);
  if (width === 0 || height === 0) return undefined;
  const bits = values(BITS);
  const tiles = values(TILE_OFFSETS);
  return {
    width,
    height,
    channels: values(PHOTOMETRIC)[0] === PALETTE ? undefined : samples,
    bitsPerPixel: bits.length === samples ? bits.reduce((sum, each) => sum + each, 0) : samples * (bits[0] ?? 1),
    compressed: (values(COMPRESSION)[0] ?? 1) !== 1,
    offsets: tiles.length > 0 ? tiles : values(STRIP_OFFSETS),
    counts: values(tiles.length > 0 ? TILE_COUNTS : STRIP_COUNTS),
  };
}

/** @returns what is wrong, to follow "its file is no whole image: "; `unknown` where the data are compressed, and only their place was looked at */
export function tiffFault(file: Buffer): { readonly fault?: string; readonly unknown?: true } {
  try {
    const header = readTiff(file);
    if (!header) return { fault: 'its header is damaged' };
    const { offsets, counts, compressed, width, height, bitsPerPixel } = header;
    if (offsets.length === 0 || counts.length !== offsets.length) return { fault: 'its header names no data' };
    if (offsets.some((offset, i) => offset + (counts[i] ?? 0) > file.length)) return { fault: 'it ends too early' };
    if (compressed) return counts.includes(0) ? { fault: 'its data end before the last row' } : { unknown: true };
    const bytes = counts.reduce((sum, count) => sum + count, 0);
    return bytes < Math.ceil((width * bitsPerPixel) / 8) * height ? { fault: 'its data end before the last row' } : {};
  } catch (error) {
    if (error instanceof RangeError) return { fault: 'it ends too early' };
    throw error;
  }
}

/** The values of a tag of the first directory; none where it is absent. */
function directoryOf(file: Buffer): (tag: number) => number[] {
  const isLittle = file.toString('latin1', 0, 2) === 'II';
  const number = (at: number, size: number): number => (isLittle ? file.readUIntLE(at, size) : file.readUIntBE(at, size));
  const start = number(4, 4);
  const entries = new Map(Array.from({ length: number(start, 2) }, (_, i) => [number(start + 2 + i * 12, 2), start + 2 + i * 12] as const));
  return tag => {
    const at = entries.get(tag);
    if (at === undefined) return [];
    const size = sizes[number(at + 2, 2)] ?? 4;
    const count = number(at + 4, 4);
    if (count > MOST_VALUES) throw new RangeError('more values than a page can have');
    const from = size * count <= 4 ? at + 8 : number(at + 8, 4);
    return Array.from({ length: count }, (_, i) => number(from + i * size, size));
  };
}
