/** The document format CBZ: a ZIP of images and their title, which readers of books and comics show. */
import { crc32 } from 'node:zlib';
import { ScanError, type Call, type DocumentFormat, type DocumentPage } from '@platen/core/plugin';
import { createThreads, rowsOf, type Threads } from './threads.js';
import type { Work } from './worker.js';
import { assertFits, directory, entryHead, type Entry } from './zip.js';

/** Endings of the files that go in as they are. */
const endings: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png' };

export function createFormat(): DocumentFormat & { close(): Promise<void> } {
  const threads = createThreads<Work, Uint8Array>();
  return {
    // Yours: the name in requests, the MIME type, the ending of files.
    name: 'Cbz',
    mimeType: 'application/vnd.comicbook+zip',
    extension: 'cbz',

    // Yours: what comes before, for and after each page. Write a page before the loop asks for the next one, keep none,
    // and let every error out: a document that ends is whole.
    async *write(pages, { title, createdAt }, call) {
      call.signal.throwIfAborted();
      const entries: Entry[] = [];
      let length = 0;
      const add = (name: string, file: Uint8Array): [Uint8Array, Uint8Array] => {
        const entry = { name, size: file.length, crc: crc32(file), offset: length };
        const head = entryHead(entry, createdAt);
        length += head.length + file.length;
        entries.push(entry);
        assertFits(length, entries.length);
        return [head, file];
      };
      for await (const page of pages) {
        call.signal.throwIfAborted();
        const { file, ending } = await fileOf(page, threads, call);
        yield* add(`${String(entries.length + 1).padStart(5, '0')}.${ending}`, file);
      }
      call.signal.throwIfAborted();
      yield* add('ComicInfo.xml', comicInfo(title, entries.length));
      yield directory(entries, length, createdAt);
    },

    close: () => threads.close(),
  };
}

/** Of a page that is not turned: its own. Readers know no turn, and no TIFF. */
async function fileOf(page: DocumentPage, threads: Threads<Work, Uint8Array>, { signal }: Call) {
  const own = endings[page.mimeType];
  if (own !== undefined && page.turn === 0) return { file: await ownFile(page), ending: own };
  const rows = { ...rowsOf(await page.pixels()), dpi: page.dpi };
  return { file: await threads.run({ rows, turn: page.turn }, signal, [rows.data.buffer]), ending: 'png' };
}

/** The next slice may overwrite the last one, so each is copied. */
async function ownFile({ pageNumber, size, read }: DocumentPage): Promise<Uint8Array> {
  const file = new Uint8Array(size);
  let came = 0;
  for await (const slice of read()) {
    if (came + slice.length <= size) file.set(slice, came);
    came += slice.length;
  }
  if (came === size) return file;
  throw new ScanError('storage-failed', `The file of page ${pageNumber} has ${came} bytes, not ${size}.`);
}

function comicInfo(title: string | undefined, pageCount: number): Uint8Array {
  const titled = title === undefined ? '' : `<Title>${escaped(title)}</Title>`;
  return Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?>\n<ComicInfo>${titled}<PageCount>${pageCount}</PageCount></ComicInfo>\n`,
  );
}

/** XML has no control characters, and no half characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[<>&]/g, each => `&#${each.charCodeAt(0)};`);
}
