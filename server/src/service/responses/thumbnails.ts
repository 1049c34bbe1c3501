/** Small pictures of stored pages, for strips and lists. */
import {
  InvalidValue,
  lateRequire,
  toBilevelTiff,
  packedRows,
  wholeOf,
  type Format,
  type Semaphore,
  type StoredPage,
  type Turn,
} from '@platen/core';
import type { Sharp, SharpInput, SharpOptions, default as sharpPackage } from 'sharp';

/** What sharp reads by itself. */
const readable: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/tiff']);
/** For transparent pixels. */
const PAPER = '#fff';
const QUALITY = 80;

export interface Thumbnails {
  /**
   * A JPEG of the page.
   * @param width in pixels, of the JPEG; a narrower page keeps its own
   * @param turn clockwise
   * @param signal ends the wait for a place: as many pages are read at a time as the computer has processors
   * @throws `storage-failed` if the page was damaged, `invalid-value` if nothing decodes its format
   */
  make(page: StoredPage, width: number, turn: Turn, signal: AbortSignal): Promise<Uint8Array>;
}

export function createThumbnails(pool: Semaphore, registry: { readonly formats: readonly Format[] }): Thumbnails {
  return {
    make: (stored, width, turn, signal) =>
      pool.run(async () => {
        await stored.check();
        const image = await opened(stored, registry.formats, signal);
        return image
          .autoOrient()
          .rotate(turn)
          .flatten({ background: PAPER })
          .resize({ width, withoutEnlargement: true })
          .jpeg({ quality: QUALITY })
          .toBuffer();
      }, signal),
  };
}

/** The page's pixels are in core's limits; another limit would only refuse a scanned page. */
const lenient: SharpOptions = { limitInputPixels: false, failOn: 'none' };

async function opened(stored: StoredPage, formats: readonly Format[], signal: AbortSignal): Promise<Sharp> {
  const { mimeType, format: name } = stored.page;
  const format = formats.find(each => each.mimeType === mimeType);
  if (!readable.has(mimeType) && !format?.decode)
    throw new InvalidValue('width', `nothing here: no loaded plugin decodes the format ${name}. Fetch the page itself`);
  // On demand: a service without it still serves pages.
  const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url)();
  const open = (input: SharpInput, options: SharpOptions = {}): Sharp => sharp(input, { ...lenient, ...options });
  const bytes = await wholeOf(stored, signal);
  if (readable.has(mimeType) || !format?.decode) return open(bytes);
  const image = await format.decode(bytes, { signal });
  if (image.pixels === 'bw1') return open(toBilevelTiff(image));
  const { width, height, pixels } = image;
  return open(packedRows(image), { raw: { width, height, channels: pixels === 'gray8' ? 1 : 3 } });
}
