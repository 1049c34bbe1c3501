/** The images of a TIFF for tests: its directories parsed by hand, and its pixels and sizes as sharp reads them. */
import assert from 'node:assert/strict';
import type { WrittenDocument, WrittenPage } from '@platen/conformance';
import type { DocumentFormat, DocumentOptions, DocumentPage } from '@platen/core/plugin';
import sharp from 'sharp';

export interface Image {
  /** Numbers of the fields SHORT and LONG; numerator and denominator of RATIONAL. */
  readonly numbers: ReadonlyMap<number, readonly number[]>;
  /** The fields ASCII. */
  readonly texts: ReadonlyMap<number, string>;
  readonly strips: readonly Buffer[];
}

/** Bytes of a value of type 1 to 5: BYTE, ASCII, SHORT, LONG, RATIONAL. */
const SIZES = [0, 1, 1, 2, 4, 8];

/** TIFF 6.0, section 2: also that directories are at even places, and their tags in order. */
export function imagesOf(bytes: Uint8Array): Image[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert.equal(file.toString('latin1', 0, 4), 'II*\0');
  const images: Image[] = [];
  for (let place = file.readUInt32LE(4); place !== 0;) {
    assert.equal(place % 2, 0, 'a directory begins at an even place');
    const [numbers, texts] = [new Map<number, number[]>(), new Map<number, string>()];
    const count = file.readUInt16LE(place);
    const seen = Array.from({ length: count }, (_, i) => {
      const at = place + 2 + i * 12;
      const [tag, type, values] = [file.readUInt16LE(at), file.readUInt16LE(at + 2), file.readUInt32LE(at + 4)];
      const size = SIZES[type]! * values;
      const from = size > 4 ? file.readUInt32LE(at + 8) : at + 8;
      assert.ok(from + size <= file.length, `the values of tag ${tag} are in the file`);
      if (type === 2) texts.set(tag, file.toString('utf8', from, from + size));
      else {
        const wide = type === 5 ? values * 2 : values;
        const each = (n: number) => (type === 3 ? file.readUInt16LE(from + n * 2) : file.readUInt32LE(from + n * 4));
        numbers.set(
          tag,
          Array.from({ length: wide }, (__, n) => each(n)),
        );
      }
      return tag;
    });
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
      'tags in ascending order',
    );
    const strips = numbers.get(273)!.map((from, i) => file.subarray(from, from + numbers.get(279)![i]!));
    assert.ok(
      strips.every((strip, i) => strip.length === numbers.get(279)![i]),
      'the strips are in the file',
    );
    images.push({ numbers, texts, strips });
    place = file.readUInt32LE(place + 2 + count * 12);
  }
  return images;
}

/** What sharp reads, a page at a time; and the title from the first directory. */
export async function readTiff(bytes: Uint8Array): Promise<WrittenDocument> {
  const images = imagesOf(bytes);
  const { pages = 1 } = await sharp(bytes, { pages: 1 }).metadata();
  assert.equal(pages, images.length, 'as many pages as directories');
  const read = async (page: number): Promise<WrittenPage> => {
    const image = sharp(bytes, { page, limitInputPixels: false });
    const { width, height, density } = await image.metadata();
    return {
      width,
      height,
      dpi: density!,
      turn: 0,
      async pixels() {
        const { data, info } = await image.clone().raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
        const pixels = info.channels === 1 ? 'gray8' : 'rgb24';
        return { width, height, pixels, stride: width * info.channels, data };
      },
    };
  };
  const title = images[0]?.texts.get(269)?.replace(/\0$/, '');
  const written: WrittenPage[] = [];
  for (let page = 0; page < pages; page++) written.push(await read(page));
  return { pages: written, ...(title === undefined ? {} : { title }) };
}

/** The whole document; with `onChunk`, the chunks go there instead. */
export async function writtenBy(
  format: DocumentFormat,
  given: Iterable<DocumentPage>,
  options: Partial<DocumentOptions> = {},
  onChunk?: (chunk: Buffer) => void,
): Promise<Buffer> {
  async function* pages(): AsyncGenerator<DocumentPage, void> {
    yield* given;
  }
  const chunks: Buffer[] = [];
  const call = { signal: new AbortController().signal };
  for await (const chunk of format.write(pages(), { createdAt: 0, barcodes: false, ...options }, call)) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (onChunk) onChunk(bytes);
    else chunks.push(Buffer.from(bytes));
  }
  return Buffer.concat(chunks);
}
