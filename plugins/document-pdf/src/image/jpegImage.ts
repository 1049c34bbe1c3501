/** A JPEG file goes into the document byte for byte, if every reader of PDF decodes it to the same colours. */
import { isFrame, segmentAt, type DocumentPage } from '@platen/core/plugin';
import { damaged, fileHead } from './fileHead.js';
import type { PageImage } from './pixelImage.js';

const START = 0xd8;
const END = Buffer.from([0xff, 0xd9]);
const SCAN = 0xda;
const APP14 = 0xee;
/** In Adobe's segment: how colours are written (Adobe Technical Note 5116). */
const TRANSFORM_AT = 11;
const BASELINE = 0xc0;
const PROGRESSIVE = 0xc2;
/** The sign of the frame header's fields in their order (ITU-T T.81, B.2.2). */
const COMPONENTS_AT = 5;
const COMPONENT_BYTES = 3;

interface JpegHeader {
  readonly width: number;
  /** 0 if it comes after the data. */
  readonly height: number;
  /** As in the file; undefined if readers differ in them: four inks, colours without conversion, 12 bits, lossless. */
  readonly space: 'DeviceGray' | 'DeviceRGB' | undefined;
  /** Where the next segment begins; before it there may be a thumbnail, a JPEG too. */
  readonly end: number;
}

/** @returns undefined for a JPEG that has to be decoded @throws `storage-failed` if it is damaged */
export async function jpegImage(page: DocumentPage): Promise<PageImage | undefined> {
  const { header, all } = await fileHead(page, head => jpegHeader(page, head));
  const { width, height, space } = header;
  if (space === undefined || height === 0) return undefined;
  if (width !== page.width || height !== page.height)
    throw damaged(page, `it has ${width} x ${height} pixels, not ${page.width} x ${page.height}`);
  return {
    entries: `/ColorSpace /${space} /BitsPerComponent 8 /Filter /DCTDecode`,
    length: page.size,
    data: toItsEnd(page, all(), header.end),
  };
}

/** @returns undefined if the head is too short */
function jpegHeader(page: DocumentPage, head: Buffer): JpegHeader | undefined {
  if (head.length < 2) return undefined;
  if (head[0] !== 0xff || head[1] !== START) throw damaged(page, 'it does not begin like a JPEG');
  let transform: number | undefined;
  let isJfif = false;
  try {
    for (let at = 2; ;) {
      const segment = segmentAt(head, at);
      if (!segment) return undefined;
      const { marker, body, end } = segment;
      if (marker === SCAN || marker === END[1]) throw damaged(page, 'it has no frame');
      if (marker === 0xe0) isJfif ||= body.toString('latin1', 0, 5) === 'JFIF\0';
      // A shorter one is not Adobe's.
      if (marker === APP14 && body.length > TRANSFORM_AT && body.toString('latin1', 0, 5) === 'Adobe')
        transform = body.readUInt8(TRANSFORM_AT);
      if (isFrame(marker)) return { ...frameHeader(marker, body, transform ?? (isJfif ? 1 : undefined)), end };
      at = end;
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @param transform 1 for colours as luminance and chrominance, 0 for red, green and blue; undefined: not said */
function frameHeader(marker: number, body: Buffer, transform: number | undefined): Omit<JpegHeader, 'end'> {
  const count = body.readUInt8(COMPONENTS_AT);
  const ids = Array.from({ length: count }, (_, i) => body.readUInt8(COMPONENTS_AT + 1 + i * COMPONENT_BYTES));
  const isUsual = (marker === BASELINE || marker === PROGRESSIVE) && body.readUInt8(0) === 8;
  // Without a word about it, some readers take components named R, G and B for these, others do not.
  const isYcc = transform === 1 || (transform === undefined && String.fromCharCode(...ids) !== 'RGB');
  const space = !isUsual ? undefined : count === 1 ? 'DeviceGray' : count === 3 && isYcc ? 'DeviceRGB' : undefined;
  return { height: body.readUInt16BE(1), width: body.readUInt16BE(3), space };
}

/** Throws after the last slice if there is no end marker behind the header: it is not a whole image. */
async function* toItsEnd(
  page: DocumentPage,
  slices: AsyncIterable<Uint8Array>,
  header: number,
): AsyncGenerator<Uint8Array, void> {
  let hasEnd = false;
  let [at, last] = [0, 0];
  for await (const slice of slices) {
    const data = bytesOf(slice).subarray(Math.max(0, header - at));
    hasEnd ||= data.includes(END) || (last === END[0] && data[0] === END[1]);
    last = data.at(-1) ?? 0;
    at += slice.length;
    yield slice;
  }
  if (!hasEnd) throw damaged(page, 'it ends too early');
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
