/** The compressed rows of a PNG file go into the document as they are: grey or colour of 8 bits, neither interlaced. */
import type { DocumentPage } from '@platen/core/plugin';
import { damaged, fileHead } from './fileHead.js';
import type { PageImage } from './pixelImage.js';
import { CHUNK_HEAD, idat, pngEntries, PngFault, SIGNATURE } from './pngData.js';

const HEADER = 'IHDR';
const CRC_BYTES = 4;
/** By colour type. Others have a palette or transparency. */
const kinds: Readonly<Record<number, 'gray8' | 'rgb24'>> = { 0: 'gray8', 2: 'rgb24' };
/** They change what the samples mean: a profile of their own, and a colour that is transparent. */
const special = ['iCCP', 'tRNS'];

interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Undefined if it has to be decoded. */
  readonly pixels: 'gray8' | 'rgb24' | undefined;
}

/** @returns undefined for a PNG that has to be decoded @throws `storage-failed` if it is damaged */
export async function pngImage(page: DocumentPage): Promise<PageImage | undefined> {
  const { header, all } = await fileHead(page, head => pngHeader(page, head));
  const { width, height, pixels } = header;
  if (pixels === undefined) return undefined;
  if (width !== page.width || height !== page.height)
    throw damaged(page, `it has ${width} x ${height} pixels, not ${page.width} x ${page.height}`);
  return { entries: pngEntries(width, pixels), data: rows(page, all()) };
}

async function* rows(page: DocumentPage, file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* idat(file);
  } catch (error) {
    throw error instanceof PngFault ? damaged(page, error.message) : error;
  }
}

/** Everything before the rows. @returns undefined if the head is too short */
function pngHeader(page: DocumentPage, head: Buffer): PngHeader | undefined {
  const first = SIGNATURE.length;
  if (head.length < first + CHUNK_HEAD) return undefined;
  if (!head.subarray(0, first).equals(SIGNATURE) || typeAt(head, first) !== HEADER)
    throw damaged(page, 'it does not begin like a PNG');
  let isSpecial = false;
  for (let at = first; at + CHUNK_HEAD <= head.length; at += CHUNK_HEAD + head.readUInt32BE(at) + CRC_BYTES) {
    const type = typeAt(head, at);
    if (type === 'IEND') throw damaged(page, 'it has no rows');
    if (type === 'IDAT') return headerFrom(head.subarray(first + CHUNK_HEAD), isSpecial);
    isSpecial ||= special.includes(type);
  }
  return undefined;
}

function headerFrom(header: Buffer, isSpecial: boolean): PngHeader {
  const [depth, type, interlaced] = [header.readUInt8(8), header.readUInt8(9), header.readUInt8(12)];
  const isPlain = depth === 8 && interlaced === 0 && !isSpecial;
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    pixels: isPlain ? kinds[type] : undefined,
  };
}

const typeAt = (head: Buffer, at: number): string => head.toString('latin1', at + 4, at + 8);
