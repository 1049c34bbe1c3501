/** A program: writes the JPEG again and again as the pages of a PDF, and prints its peak memory in bytes, on Linux. */
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { DocumentPage } from '@platen/core/plugin';
import pdf from '@platen/document-pdf';
import { sheet } from '../sheets.js';

/** Bytes of a file that are read at a time, as core does. */
const SLICE_BYTES = 256 * 1024;

/** Pages of kept JPEGs, as core hands them to a document format. */
export async function* jpegPages(files: readonly string[]): AsyncGenerator<DocumentPage, void> {
  for (const [i, file] of files.entries()) {
    const { size } = await stat(file);
    yield {
      pageNumber: i + 1,
      width: sheet.width,
      height: sheet.height,
      dpi: sheet.dpi,
      mimeType: 'image/jpeg',
      size,
      turn: 0,
      words: [],
      barcodes: [],
      read: () => createReadStream(file, { highWaterMark: SLICE_BYTES }),
      pixels: async () => {
        throw new Error('a JPEG was decoded');
      },
    };
  }
}

export async function writePdf(pages: AsyncIterable<DocumentPage>, out: string): Promise<void> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const { documents, close } = await pdf.setup({ options: {}, log, dataDir: '/' });
  const { signal } = new AbortController();
  try {
    const chunks = documents![0]!.write(pages, { createdAt: 0, barcodes: false }, { signal });
    await pipeline(chunks, createWriteStream(out));
  } finally {
    await close?.();
  }
}

if (process.argv[1]?.endsWith('writePdf.js')) {
  const [out = '', count = '', ...jpegs] = process.argv.slice(2);
  await writePdf(jpegPages(Array.from({ length: Number(count) }, (_, i) => jpegs[i % jpegs.length]!)), out);
  // Its own: `resourceUsage` also counts what the process was before it became this program.
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  console.log(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1024);
}
