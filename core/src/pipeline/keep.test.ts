/** Finished pages go to a shelf in order, and no other reference keeps their bytes. */
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import type { FinishedPage } from './finish.js';
import { keepOnShelf, type ShelvedPage } from './keep.js';
import type { Shelf } from './spool.js';

const { signal } = new AbortController();
const pageOf = (pageNumber: number): FinishedPage => ({
  pageNumber,
  sheet: pageNumber,
  side: 'front',
  width: 8,
  height: 4,
  dpi: 100,
  format: 'Png',
  mimeType: 'image/png',
  data: Uint8Array.of(pageNumber),
  ocrText: '',
  barcodes: [],
  processing: [],
  report: [],
});

t.test('keepOnShelf: several pages, in order and without their bytes, also a page with a storage problem', async t => {
  const full = new ScanError('storage-failed', 'The disk is full.');
  const put: number[] = [];
  const shelf: Shelf = {
    async put(bytes) {
      put.push(bytes[0] ?? 0);
      const kept = {
        size: bytes.byteLength,
        async *read() {
          yield bytes;
        },
      };
      return put.length > 1 ? { kept, problem: full } : { kept };
    },
    clear: async () => undefined,
  };
  const pages: ShelvedPage[] = [];
  const keep = keepOnShelf(shelf, pages);
  t.equal(await keep(pageOf(1), signal), undefined);
  t.equal(await keep(pageOf(2), signal), full, 'no other page should come');
  t.same(put, [1, 2]);
  t.same(
    pages.map(({ page, bytes }) => [page.pageNumber, bytes.size, 'data' in page]),
    [
      [1, 1, false],
      [2, 1, false],
    ],
  );
});
