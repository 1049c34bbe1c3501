/** A stored page, turned, in its own format. */
import {
  decodedPage,
  fromBilevelTiff,
  InvalidValue,
  lateRequire,
  packedRows,
  toBilevelTiff,
  type Format,
  type RawPage,
  type Semaphore,
  type StoredPage,
  type Turn,
} from '@platen/core';
import type { default as sharpPackage } from 'sharp';

/** For lossy formats: the page is encoded a second time. */
const QUALITY = 95;

export interface TurningParts {
  /** As many pages are turned at a time as it has places. */
  readonly pool: Semaphore;
  readonly formats: readonly Format[];
}

/**
 * The page's file, turned; its pixels, depth and resolution are kept.
 * @param turn clockwise
 * @throws `storage-failed` if the page was damaged, `invalid-value` if nothing decodes its format
 */
export async function turnedPage(
  stored: StoredPage,
  turn: Turn,
  { pool, formats }: TurningParts,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { mimeType, format: name } = stored.page;
  const format = formats.find(each => each.mimeType === mimeType && each.decode);
  if (!format)
    throw new InvalidValue('rotate', `0 here: no loaded plugin decodes the format ${name}. Turn the page itself`);
  return pool.run(async () => {
    await stored.check();
    const page = await decodedPage(stored, { formats: [format] }, signal);
    return format.encode(await turned(page, turn), { quality: QUALITY }, { signal });
  }, signal);
}

/** On the threads of sharp. */
async function turned(page: RawPage, turn: Turn): Promise<RawPage> {
  // On demand: a service without it still serves pages.
  const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url)();
  // The page's pixels are in core's limits.
  const limitInputPixels = false;
  if (page.pixels === 'bw1') {
    const image = sharp(toBilevelTiff(page), { limitInputPixels }).rotate(turn).toColourspace('b-w');
    const tiff = await image.tiff({ bitdepth: 1, compression: 'none', miniswhite: true }).toBuffer();
    return { ...page, ...fromBilevelTiff(tiff) };
  }
  const { width, height, pixels } = page;
  const channels = pixels === 'gray8' ? 1 : 3;
  const { data, info } = await sharp(packedRows(page), { raw: { width, height, channels }, limitInputPixels })
    .rotate(turn)
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { ...page, width: info.width, height: info.height, stride: info.width * channels, data };
}
