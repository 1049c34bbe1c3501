/** One page as an image of a TIFF: its file's own data where a chain can take them as they are, else encoded here. */
import {
  ScanError,
  lateRequire,
  packedRows,
  toBilevelTiff,
  type DocumentPage,
  type RawPage,
} from '@platen/core/plugin';
import type { Sharp, TiffOptions as SharpOptions, default as sharpPackage } from 'sharp';
import { numbersOf, readDirectory, type Directory } from './directory.js';

const sharp = lateRequire<typeof sharpPackage>('sharp', import.meta.url);

export interface TiffPage {
  /** Without the places and lengths of the strips. */
  readonly fields: Directory;
  /** The strips, one after the other. */
  readonly data: Uint8Array;
  readonly stripLengths: readonly number[];
}

export interface TiffOptions {
  /** For colour and grey pages that are encoded here; 1-bit pages are always CCITT G4. */
  readonly compression: 'none' | 'lzw' | 'deflate';
}

export const tags = {
  subfileType: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  documentName: 269,
  description: 270,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripLengths: 279,
  xResolution: 282,
  yResolution: 283,
  resolutionUnit: 296,
  pageNumber: 297,
  dateTime: 306,
} as const;

/** @throws what reading the page throws, `storage-failed` if its file is incomplete, the signal's reason */
export async function tiffPage(page: DocumentPage, options: TiffOptions, signal: AbortSignal): Promise<TiffPage> {
  if (page.turn === 0 && page.mimeType === 'image/tiff') {
    const plain = plainPage(await wholeFile(page, signal), page);
    if (plain) return plain;
  }
  const encoded = await encode(await page.pixels(), page.turn, options, signal);
  const own = plainPage(encoded, undefined);
  if (!own) throw new ScanError('internal', `Page ${page.pageNumber} was not encoded as a plain TIFF.`);
  return own;
}

async function wholeFile(page: DocumentPage, signal: AbortSignal): Promise<Buffer> {
  const { pageNumber, size } = page;
  const file = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for await (const slice of page.read()) {
    signal.throwIfAborted();
    if (at + slice.length <= size) file.set(slice, at);
    at += slice.length;
  }
  if (at !== size)
    throw new ScanError('storage-failed', `The file of page ${pageNumber} has ${at} bytes, and should have ${size}.`);
  return file;
}

/** White is zero, as in format-tiff: G4's code words are made for white paper. */
const bilevel: SharpOptions = { compression: 'ccittfax4', bitdepth: 1, miniswhite: true };

/** Turned pixels: many readers ignore the tag Orientation. */
async function encode(page: RawPage, turn: number, { compression }: TiffOptions, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  const image = turn === 0 ? open(page) : open(page).rotate(turn);
  const file = await image.tiff(page.pixels === 'bw1' ? bilevel : { compression, predictor: 'horizontal' }).toBuffer();
  signal.throwIfAborted();
  return file;
}

function open(page: RawPage): Sharp {
  const { width, height, pixels } = page;
  const limitInputPixels = false;
  if (pixels === 'bw1') return sharp()(toBilevelTiff(page), { limitInputPixels }).toColourspace('b-w');
  const image = sharp()(packedRows(page), {
    raw: { width, height, channels: pixels === 'gray8' ? 1 : 3 },
    limitInputPixels,
  });
  return pixels === 'gray8' ? image.toColourspace('b-w') : image;
}

/** A value of PhotometricInterpretation; the others are grey. */
const COLOUR = 2;

/** Tags that say how to read the data, with the values that a chain takes. */
const readable: ReadonlyMap<number, readonly number[]> = new Map([
  [tags.subfileType, [0, 2]],
  [tags.bits, [1, 8]],
  [tags.compression, [1, 4, 5, 8]], // none, CCITT G4, LZW, deflate: each strip stands for itself
  [tags.photometric, [0, 1, 2]],
  [266, [1]], // FillOrder
  [274, [1]], // Orientation: not turned
  [tags.samples, [1, 3]],
  [284, [1]], // PlanarConfiguration: one plane
  [293, [0]], // T6Options
  [317, [1, 2]], // Predictor
  [339, [1]], // SampleFormat: unsigned
]);

/** Other tags that may be there: sizes and places, and words about the page, which stay. */
const harmless: ReadonlySet<number> = new Set([
  ...Object.values(tags),
  271, // Make
  272, // Model
  305, // Software
  315, // Artist
]);

/**
 * @param facts that the file must have; absent: any
 * @returns undefined if the data need more than these tags to be read right: tiles, a colour profile, tables
 */
function plainPage(
  file: Buffer,
  facts: { readonly width: number; readonly height: number } | undefined,
): TiffPage | undefined {
  const fields = readDirectory(file);
  if (!fields) return undefined;
  for (const [tag, field] of fields) {
    const allowed = readable.get(tag);
    if (!allowed && !harmless.has(tag)) return undefined;
    if (allowed && !numbersOf(field)?.every(value => allowed.includes(value))) return undefined;
  }
  const one = (tag: number, absent?: number): number | undefined => numbersOf(fields.get(tag))?.[0] ?? absent;
  const [width, height] = [one(tags.width), one(tags.height)];
  if (width === undefined || height === undefined) return undefined;
  if (facts && (width !== facts.width || height !== facts.height)) return undefined;
  if (one(tags.compression) === undefined || one(tags.photometric) === undefined) return undefined;
  if ((one(tags.photometric) === COLOUR) !== (one(tags.samples, 1) === 3)) return undefined;
  const offsets = numbersOf(fields.get(tags.stripOffsets));
  const lengths = numbersOf(fields.get(tags.stripLengths));
  const rows = Math.min(one(tags.rowsPerStrip, height) ?? height, height);
  if (!offsets || !lengths || rows === 0 || offsets.length !== Math.ceil(height / rows)) return undefined;
  if (lengths.length !== offsets.length) return undefined;
  // Strips that share their bytes would take more memory than the file has.
  if (lengths.reduce((sum, length) => sum + length, 0) > file.length) return undefined;
  const strips = offsets.map((offset, i) => file.subarray(offset, offset + lengths[i]!));
  if (strips.some((strip, i) => strip.length !== lengths[i] || strip.length === 0)) return undefined;
  const kept = new Map(fields);
  kept.delete(tags.stripOffsets);
  kept.delete(tags.stripLengths);
  return { fields: kept, data: joined(file, offsets, strips), stripLengths: lengths };
}

/** Strips that lie one after the other are not copied. */
function joined(file: Buffer, offsets: readonly number[], strips: readonly Buffer[]): Uint8Array {
  let end = offsets[0]!;
  for (const [i, offset] of offsets.entries()) {
    if (offset !== end) return Buffer.concat(strips);
    end += strips[i]!.length;
  }
  return file.subarray(offsets[0]!, end);
}
