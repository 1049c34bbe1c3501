/** A TIFF's own header: TIFF 6.0, the first directory. Exif is written the same way. */
import type { ImageFacts } from './image.js';

const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const OFFSETS = 273;
const CHANNELS = 277;
const COUNTS = 279;
const X_DENSITY = 282;
const Y_DENSITY = 283;
const UNIT = 296;
const RATIONAL = 5;
const SHORT = 3;
const CM_PER_INCH = 2.54;

interface Directory {
  /** The values of a tag; none where it is absent. */
  values(tag: number): readonly number[];
}

export function readTiff(bytes: Buffer): ImageFacts | undefined {
  const directory = directoryOf(bytes);
  const [width = 0] = directory.values(WIDTH);
  const [height = 0] = directory.values(HEIGHT);
  const [bits = 1] = directory.values(BITS);
  const [channels = 1] = directory.values(CHANNELS);
  if (width === 0 || height === 0) return undefined;
  const density = densityOf(directory);
  const counts = directory.values(COUNTS);
  const ends = directory.values(OFFSETS).map((offset, i) => offset + (counts[i] ?? 0));
  return {
    mimeType: 'image/tiff',
    width,
    height,
    pixels: channels >= 3 ? 'rgb24' : bits === 1 ? 'bw1' : 'gray8',
    ...(density && { density }),
    isWhole: ends.length > 0 && ends.every(end => end <= bytes.length),
  };
}

/** @throws RangeError when the directory points past the end */
export function readTiffDensity(bytes: Buffer): ImageFacts['density'] {
  return densityOf(directoryOf(bytes));
}

function densityOf(directory: Directory): ImageFacts['density'] {
  const [unit = 2] = directory.values(UNIT);
  const factor = unit === 2 ? 1 : unit === 3 ? CM_PER_INCH : 0;
  const [x = 0] = directory.values(X_DENSITY);
  const [y = 0] = directory.values(Y_DENSITY);
  return x * factor > 0 && y * factor > 0 ? { x: x * factor, y: y * factor } : undefined;
}

/** More strips than rows that a page can have are a lie. */
const MOST_VALUES = 65_536;

function directoryOf(bytes: Buffer): Directory {
  const isLittle = bytes.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const start = long(4);
  const entries = new Map(Array.from({ length: short(start) }, (_, i) => [short(start + 2 + i * 12), start + 2 + i * 12] as const));
  return {
    values(tag) {
      const at = entries.get(tag);
      if (at === undefined) return [];
      const type = short(at + 2);
      const count = Math.min(long(at + 4), MOST_VALUES);
      const size = type === SHORT ? 2 : type === RATIONAL ? 8 : 4;
      const from = size * count <= 4 ? at + 8 : long(at + 8);
      return Array.from({ length: count }, (_, i) => {
        const value = from + i * size;
        if (type === SHORT) return short(value);
        return type === RATIONAL ? long(value) / (long(value + 4) || Infinity) : long(value);
      });
    },
  };
}
