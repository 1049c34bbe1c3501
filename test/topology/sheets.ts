/** Test sheets that can be recognised in the scanned pages. */
import { millimetres } from '@platen/core/driver';
import type { PageSize } from '@platen/core/plugin';
import sharp from 'sharp';

/** One of `inks`, by its number. */
export type Ink = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Colours that differ enough to be recognised in grey, too. */
export const inks = [
  [10, 10, 40],
  [90, 20, 20],
  [30, 110, 30],
  [60, 130, 220],
  [230, 150, 30],
  [120, 220, 230],
  [240, 240, 120],
  [150, 90, 150],
] as const satisfies readonly (readonly [number, number, number])[];

export interface Sheet {
  readonly front: Ink;
  readonly back?: Ink;
  /** Letter when absent. */
  readonly size?: Exclude<PageSize, 'Auto'>;
}

/** Sheets with only a front, one of each ink, in this order. */
export const sheets = (...fronts: Ink[]): Sheet[] => fronts.map(front => ({ front }));

const DPI = 75;

/** A file with its physical size in it: the ink all over, and a white mark in its upper left corner. */
export async function drawSide(ink: Ink, size: Exclude<PageSize, 'Auto'> = 'Letter'): Promise<Uint8Array> {
  const [r, g, b] = inks[ink];
  const width = pixels(millimetres[size].width, DPI);
  const height = pixels(millimetres[size].height, DPI);
  const mark = {
    create: { width: Math.round(width / 5), height: Math.round(height / 5), channels: 3 as const, background: '#fff' },
  };
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .composite([{ input: mark, left: 0, top: 0 }])
    .withDensity(DPI)
    .png()
    .toBuffer();
}

let noisy: Promise<Uint8Array> | undefined;

/** A sheet that no encoder makes smaller, always the same: about a megabyte at 100 dpi in colour. */
export const noise = (): Promise<Uint8Array> => (noisy ??= makeNoise());

async function makeNoise(): Promise<Uint8Array> {
  const create = {
    width: 850,
    height: 1100,
    channels: 3 as const,
    background: '#888',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
  };
  return sharp({ create }).withDensity(100).png({ compressionLevel: 1 }).toBuffer();
}

/** Pixels of a length in millimetres. */
export function pixels(mm: number, dpi: number): number {
  return Math.round((mm / 25.4) * dpi);
}

export interface Seen {
  /** The ink nearest to the colour of the middle. */
  readonly ink: Ink;
  /** Whether the mark is where it was drawn, or at the opposite corner. */
  readonly upright: boolean;
}

/** Recognises the side in a scanned file. */
export async function whichSide(file: Uint8Array): Promise<Seen> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = (await sharp(file).metadata()).channels === 1;
  const at = (x: number, y: number): number[] => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(start, start + info.channels)];
  };
  const middle = at(0.5, 0.5);
  const palette: readonly (readonly number[])[] = grey ? await (greys ??= Promise.all(inks.map(greyOf))) : inks;
  const distances = palette.map(colour =>
    middle.reduce((sum, value, i) => sum + (value - (colour[i] ?? colour[0] ?? 0)) ** 2, 0),
  );
  const brightness = (x: number, y: number): number => at(x, y).reduce((sum, value) => sum + value, 0);
  return {
    ink: distances.indexOf(Math.min(...distances)) as Ink,
    upright: brightness(0.1, 0.1) > brightness(0.9, 0.9),
  };
}

/** The inks in a grey scan. */
let greys: Promise<number[][]> | undefined;

async function greyOf([r, g, b]: readonly [number, number, number]): Promise<number[]> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: { r, g, b } } });
  const [grey = 0] = await pixel.greyscale().toColourspace('b-w').raw().toBuffer();
  return [grey, grey, grey];
}
