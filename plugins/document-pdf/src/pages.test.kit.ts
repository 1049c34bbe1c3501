/** Finished pages from files, and documents written from them, read by the system's programs. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DocumentOptions, DocumentPage, RawPage } from '@platen/core/plugin';
import sharp from 'sharp';
import { pdfFormat } from './pdf.js';

export const format = pdfFormat();
export const createdAt = Date.UTC(2026, 10, 22, 9, 30, 15, 400);
const SLICE_BYTES = 10_000;

/**
 * @param file its bytes; each slice is overwritten when the next one is requested, as the contract allows
 * @param facts what differs from the file's own
 */
export async function pageOf(
  file: Uint8Array,
  facts: Partial<DocumentPage> & { readonly raw?: RawPage } = {},
): Promise<DocumentPage> {
  const { raw, ...others } = facts;
  const { width, height, format: kind } = raw ? { ...raw, format: 'bmp' } : await sharp(file).metadata();
  return {
    pageNumber: 1,
    width,
    height,
    dpi: 100,
    mimeType: `image/${kind}`,
    size: file.length,
    turn: 0,
    words: [],
    barcodes: [],
    async *read() {
      const slice = Buffer.alloc(SLICE_BYTES);
      for (let at = 0; at < file.length; at += SLICE_BYTES) {
        const part = file.subarray(at, at + SLICE_BYTES);
        slice.set(part);
        yield slice.subarray(0, part.length);
        slice.fill(0xee);
      }
    },
    pixels: async () => raw ?? decoded(file),
    ...others,
  };
}

/** As the formats' packages decode: grey stays grey, the rest becomes colour. */
export async function decoded(file: Uint8Array): Promise<RawPage> {
  const image = sharp(file, { failOn: 'error' });
  const { space } = await image.metadata();
  const { data, info } = await image
    .flatten({ background: '#fff' })
    .toColourspace(space === 'b-w' || space === 'grey16' ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = channels === 1 ? 'gray8' : 'rgb24';
  return { kind: 'raw', sheet: 1, side: 'front', width, height, dpi: 100, pixels, stride: width * channels, data };
}

export async function* each(pages: readonly DocumentPage[]): AsyncGenerator<DocumentPage, void> {
  yield* pages;
}

export async function pdfOf(
  pages: AsyncIterable<DocumentPage> | readonly DocumentPage[],
  options: Partial<DocumentOptions> = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const iterable = Array.isArray(pages)
    ? each(pages as readonly DocumentPage[])
    : (pages as AsyncIterable<DocumentPage>);
  const { signal } = new AbortController();
  for await (const chunk of format.write(iterable, { createdAt, barcodes: false, ...options }, { signal }))
    chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Writes the document into the folder, where `qpdf --check` has to be content with it. @returns its path */
export async function checkedFile(folder: string, pdf: Uint8Array, name = 'document.pdf'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, pdf);
  // It ends with 2 for errors, and with 3 for warnings.
  await run('qpdf', ['--check', path]);
  return path;
}

/** @returns what the program prints @throws if it fails */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 256 * 1024 * 1024 });
  return stdout;
}

/** The document as JSON, with a line of its dictionary for each object. */
export async function objectsOf(path: string): Promise<Record<string, string>> {
  const { qpdf } = JSON.parse(await run('qpdf', ['--json=2', path])) as {
    qpdf: [unknown, Record<string, { value?: unknown; stream?: { dict: unknown } }>];
  };
  return Object.fromEntries(
    Object.entries(qpdf[1]).map(([name, { value, stream }]) => [name, JSON.stringify(stream?.dict ?? value)]),
  );
}

/** A JPEG of the pixels of `testPage`, or of its own. */
export async function jpegFile(
  page: RawPage,
  options: { readonly progressive?: boolean; readonly quality?: number } = {},
): Promise<Buffer> {
  const channels = page.pixels === 'gray8' ? 1 : 3;
  const image = sharp(page.data, { raw: { width: page.width, height: page.height, channels } });
  return (channels === 1 ? image.toColourspace('b-w') : image).jpeg({ quality: 95, ...options }).toBuffer();
}
