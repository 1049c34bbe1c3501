/**
 * A TIFF (TIFF 6.0): the facts in its first directory, and whether its strips or tiles are in the file.
 * Exif has the same structure.
 */
import type { Pixels } from '../contract/page.js';
import { CM_PER_INCH, densityFrom, type Density, type StatedDensity } from './density.js';

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const STRIP_OFFSETS = 273;
const CHANNELS = 277;
const STRIP_COUNTS = 279;
const X_RESOLUTION = 282;
const Y_RESOLUTION = 283;
const RESOLUTION_UNIT = 296;
const TILE_OFFSETS = 324;
const TILE_COUNTS = 325;
const PALETTE = 3;
const RATIONAL = 5;
/** Sizes: BYTE, ASCII and SHORT are shorter than the LONG of all other types used here; RATIONAL is two LONGs. */
const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, [RATIONAL]: 8 };
/** One strip per row of the highest page suffices. */
const MOST_VALUES = 65_536;

export interface TiffHeader {
  readonly width: number;
  readonly height: number;
  /** Samples per pixel; undefined if a palette defines the colour. */
  readonly channels: number | undefined;
  readonly pixels: Pixels;
  readonly density: Density | undefined;
  readonly bitsPerPixel: number;
  readonly compressed: boolean;
  readonly offsets: readonly number[];
  readonly counts: readonly number[];
}

/** Sections 2 and 8. @throws RangeError if it refers to data past the end */
export function readTiff(file: Buffer): TiffHeader | undefined {
  const values = directoryOf(file);
  const [width = 0, height = 0] = [values(WIDTH)[0], values(HEIGHT)[0]];
  const [samples = 1] = values(CHANNELS);
  if (width === 0 || height === 0) return undefined;
  // Only a density may be a fraction.
  if (![width, height, samples].every(Number.isInteger)) return undefined;
  const bits = values(BITS);
  const tiles = values(TILE_OFFSETS);
  return {
    width,
    height,
    channels: values(PHOTOMETRIC)[0] === PALETTE ? undefined : samples,
    pixels: samples >= 3 ? 'rgb24' : (bits[0] ?? 1) === 1 ? 'bw1' : 'gray8',
    density: densityFrom(() => resolutionIn(values)),
    bitsPerPixel: bits.length === samples ? bits.reduce((sum, each) => sum + each, 0) : samples * (bits[0] ?? 1),
    compressed: (values(COMPRESSION)[0] ?? 1) !== 1,
    offsets: tiles.length > 0 ? tiles : values(STRIP_OFFSETS),
    counts: values(tiles.length > 0 ? TILE_COUNTS : STRIP_COUNTS),
  };
}

/** Whether its strips or tiles end within the file. */
export function hasTiffEnd(file: Buffer, { offsets, counts }: TiffHeader): boolean {
  return offsets.length > 0 && offsets.every((offset, i) => offset + (counts[i] ?? 0) <= file.length);
}

/** Of a TIFF, or of Exif. */
export function readTiffDensity(file: Buffer): Density | undefined {
  return densityFrom(() => resolutionIn(directoryOf(file)));
}

function resolutionIn(values: Directory): StatedDensity {
  const [[x = 0], [y = 0], [unit = 2]] = [values(X_RESOLUTION), values(Y_RESOLUTION), values(RESOLUTION_UNIT)];
  return { x, y, unitsPerInch: unit === 2 ? 1 : unit === 3 ? CM_PER_INCH : 0 };
}

/**
 * @returns the fault, to follow "its TIFF is not a complete image: "; `unknown` if the data are compressed and only
 * their position was checked
 */
export function tiffFault(file: Buffer): { readonly fault?: string; readonly unknown?: true } {
  try {
    const header = readTiff(file);
    if (!header) return { fault: 'its header is damaged' };
    const { offsets, counts, compressed, width, height, bitsPerPixel } = header;
    if (offsets.length === 0 || counts.length !== offsets.length) return { fault: 'its header names no data' };
    if (!hasTiffEnd(file, header)) return { fault: 'it ends too early' };
    if (compressed) return counts.includes(0) ? { fault: 'its data end before the last row' } : { unknown: true };
    const bytes = counts.reduce((sum, count) => sum + count, 0);
    return bytes < Math.ceil((width * bitsPerPixel) / 8) * height ? { fault: 'its data end before the last row' } : {};
  } catch (error) {
    if (error instanceof RangeError) return { fault: 'it ends too early' };
    throw error;
  }
}

/** The values of a tag; none if it is absent. */
type Directory = (tag: number) => number[];

/** The first directory of the file. */
function directoryOf(file: Buffer): Directory {
  const isLittle = file.toString('latin1', 0, 2) === 'II';
  const number = (at: number, size: number): number =>
    isLittle ? file.readUIntLE(at, size) : file.readUIntBE(at, size);
  const start = number(4, 4);
  const entries = new Map(
    Array.from({ length: number(start, 2) }, (_, i) => [number(start + 2 + i * 12, 2), start + 2 + i * 12] as const),
  );
  return tag => {
    const at = entries.get(tag);
    if (at === undefined) return [];
    const type = number(at + 2, 2);
    const size = sizes[type] ?? 4;
    const count = number(at + 4, 4);
    if (count > MOST_VALUES) throw new RangeError('more values than a page can have');
    const from = size * count <= 4 ? at + 8 : number(at + 8, 4);
    const valueAt = (place: number) =>
      type === RATIONAL ? number(place, 4) / (number(place + 4, 4) || Infinity) : number(place, size);
    return Array.from({ length: count }, (_, i) => valueAt(from + i * size));
  };
}
