/** An image from pixels, lossless: 1-bit as CCITT G4, the rest as the data of a PNG. */
import { lateRequire, packedRows, type DocumentPage, type RawPage } from '@platen/core/plugin';
import type sharpPackage from 'sharp';
import { damaged } from './fileHead.js';
import type { G4Encoder } from '../g4/g4Encoder.js';
import { idat, pngEntries } from './pngData.js';

export interface PageImage {
  /** Entries of its dictionary beside `Type`, `Subtype`, `Width`, `Height` and `Length`. */
  readonly entries: string;
  /** Bytes of the data; absent: known when they are read. */
  readonly length?: number;
  /** To be read once, or left. The next request may overwrite a piece. */
  readonly data: AsyncIterable<Uint8Array>;
}

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

/** As in the package of PNG files: more is slower, and saves hardly anything on scanned paper. */
const COMPRESSION = { compressionLevel: 2, adaptiveFiltering: false } as const;
const SLICE_BYTES = 256 * 1024;

export async function pixelImage(page: DocumentPage, g4: G4Encoder, signal: AbortSignal): Promise<PageImage> {
  const raw = await page.pixels();
  signal.throwIfAborted();
  const { width, height, pixels } = raw;
  if (width !== page.width || height !== page.height)
    throw damaged(page, `it has ${width} x ${height} pixels, not ${page.width} x ${page.height}`);
  if (pixels === 'bw1') {
    const data = await g4.encode(raw, signal);
    return {
      entries:
        '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode ' +
        `/DecodeParms << /K -1 /Columns ${width} /Rows ${height} >>`,
      length: data.length,
      data: slices(data),
    };
  }
  const file = await pngFile(raw);
  signal.throwIfAborted();
  return { entries: pngEntries(width, pixels), data: idat(slices(file)) };
}

async function pngFile(raw: RawPage): Promise<Buffer> {
  const { width, height, pixels } = raw;
  const channels = pixels === 'gray8' ? 1 : 3;
  // The pixels are in memory already: a limit would only refuse a scanned page.
  const image = sharp()(packedRows(raw), { raw: { width, height, channels }, limitInputPixels: false });
  return (channels === 1 ? image.toColourspace('b-w') : image).png(COMPRESSION).toBuffer();
}

/** Parts, so that nobody handles megabytes in one turn of the event loop. */
async function* slices(data: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < data.length; at += SLICE_BYTES) yield data.subarray(at, at + SLICE_BYTES);
}
