/**
 * A document format in memory: for each page a line of JSON, then its file or its rows. For tests of what uses document
 * formats, and of the suite itself.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import {
  packedRows,
  rowBytes,
  ScanError,
  type DecodedImage,
  type DocumentFormat,
  type DocumentPage,
  type Pixels,
  type Turn,
} from '@platen/core/plugin';
import type { WrittenDocument, WrittenPage } from './documentRig.js';

export interface FakeDocumentFormatOptions {
  /** `Fake` when absent. */
  readonly name?: string;
  /** The name in lower case when absent. */
  readonly extension?: string;
  readonly aliases?: readonly string[];
  /** `application/x-fake-document` when absent. */
  readonly mimeType?: string;
  /** Every document fails with it, after its first line. */
  readonly fails?: unknown;
}

export interface FakeDocumentFormat extends DocumentFormat {
  /** Documents begun, and pages written, so far. */
  readonly documents: number;
  readonly pages: number;
}

interface PageLine {
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  readonly turn: Turn;
  /** Of the file that follows; absent if rows follow. */
  readonly mimeType?: string;
  /** Of the rows that follow. */
  readonly pixels?: Pixels;
  /** Bytes that follow. */
  readonly size: number;
  readonly text: string;
}

/** Files that go in as they are; of others, the rows do. */
const asTheyAre: ReadonlySet<string> = new Set(['image/png', 'image/tiff']);
/** Bytes of rows in a chunk, at least. */
const CHUNK_BYTES = 64 * 1024;
const LINE = 10;

export function fakeDocumentFormat(options: FakeDocumentFormatOptions = {}): FakeDocumentFormat {
  const { name = 'Fake', mimeType = 'application/x-fake-document', aliases = [] } = options;
  let documents = 0;
  let written = 0;
  return {
    name,
    mimeType,
    extension: options.extension ?? name.toLowerCase(),
    aliases,
    get documents() {
      return documents;
    },
    get pages() {
      return written;
    },
    async *write(pages, { title }, { signal }) {
      signal.throwIfAborted();
      documents++;
      yield line({ title });
      if ('fails' in options) throw options.fails;
      let count = 0;
      for await (const page of pages) {
        signal.throwIfAborted();
        yield* asTheyAre.has(page.mimeType) ? fileOf(page) : rowsOf(page);
        written++;
        count++;
      }
      yield line({ count });
    },
  };
}

async function* fileOf(page: DocumentPage): AsyncGenerator<Uint8Array, void> {
  const { mimeType, size } = page;
  yield line({ ...factsOf(page), mimeType, size });
  let read = 0;
  for await (const slice of page.read()) {
    read += slice.length;
    yield slice;
  }
  if (read !== size)
    throw new ScanError('storage-failed', `The file of page ${page.pageNumber} has ${read} bytes, not ${size}.`);
}

async function* rowsOf(page: DocumentPage): AsyncGenerator<Uint8Array, void> {
  const image = await page.pixels();
  const rows = packedRows(image);
  yield line({ ...factsOf(page), pixels: image.pixels, size: rows.length });
  for (let at = 0; at < rows.length; at += CHUNK_BYTES) {
    yield rows.subarray(at, at + CHUNK_BYTES);
    await breathe();
  }
}

function factsOf({ width, height, dpi, turn, words }: DocumentPage): Omit<PageLine, 'size'> {
  return { width, height, dpi, turn, text: words.map(({ text }) => text).join(' ') };
}

function line(content: object): Buffer {
  return Buffer.from(`${JSON.stringify(content)}\n`);
}

/** @throws TypeError unless it is whole */
export function readFakeDocument(bytes: Uint8Array): WrittenDocument {
  let at = 0;
  const next = (): Record<string, unknown> => {
    const end = bytes.indexOf(LINE, at);
    if (end < 0) throw new TypeError(`not a whole fake document: no line at ${at} of ${bytes.length} bytes`);
    const json = Buffer.from(bytes.subarray(at, end)).toString();
    at = end + 1;
    return JSON.parse(json) as Record<string, unknown>;
  };
  const { title } = next();
  const pages: WrittenPage[] = [];
  for (let read = next(); !('count' in read); read = next()) {
    const page = read as unknown as PageLine;
    const data = bytes.subarray(at, (at += page.size));
    const { width, height, dpi, turn, text } = page;
    pages.push({ width, height, dpi, turn, text, pixels: () => imageOf(page, data) });
  }
  if (at !== bytes.length) throw new TypeError('not a whole fake document: it goes on after its end');
  return { pages, ...(typeof title === 'string' ? { title } : {}) };
}

/** Of PNG and TIFF, only such files as `testFile` makes. */
function imageOf({ width, height, mimeType, pixels }: PageLine, data: Uint8Array): DecodedImage {
  if (pixels) return { width, height, pixels, stride: rowBytes(pixels, width), data };
  const file = Buffer.from(data);
  if (mimeType === 'image/tiff') {
    const depth = file.length - width * height * 3 > 0 ? 'rgb24' : file.length > width * height ? 'gray8' : 'bw1';
    const stride = rowBytes(depth, width);
    return { width, height, pixels: depth, stride, data: file.subarray(file.length - stride * height) };
  }
  const kind = ({ 2: 'rgb24', 0: 'gray8', 3: 'bw1' } as const)[file[25]!];
  if (!kind) throw new TypeError('not a PNG of testFile');
  const start = file.indexOf('IDAT');
  const rows = inflateSync(file.subarray(start + 4, start + 4 + file.readUInt32BE(start - 4)));
  const stride = rowBytes(kind, width);
  const packed = Buffer.concat(
    Array.from({ length: height }, (_, y) => rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1))),
  );
  return { width, height, pixels: kind, stride, data: packed };
}
