/** Swaps red and blue, on sharp's threads: a BMP stores blue first. */
import { lateRequire, packedRows, type RawPage } from '@platen/core/plugin';
import type { Matrix3x3, default as sharpPackage } from 'sharp';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

export type Rows = Pick<RawPage, 'data' | 'stride'>;

const redForBlue: Matrix3x3 = [
  [0, 0, 1],
  [0, 1, 0],
  [1, 0, 0],
];

export async function swapped(piece: Rows & Pick<RawPage, 'pixels' | 'width' | 'height'>): Promise<Rows> {
  const { width, height } = piece;
  // The pixels are in memory already: a limit would only refuse a scanned page.
  const image = sharp()(packedRows(piece), { raw: { width, height, channels: 3 }, limitInputPixels: false });
  return { data: await image.recomb(redForBlue).raw().toBuffer(), stride: width * 3 };
}
