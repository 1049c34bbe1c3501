/** Finished pages with known content, for tests of document formats. */
import type { DocumentPage, RawPage, Turn } from '@platen/core/plugin';
import { flatPage } from './flatJpeg.js';
import { testFile, type TestFileType } from './testFiles.js';
import { testPage, type TestPageWishes } from './testPages.js';

export interface TestDocumentPage extends DocumentPage {
  /** The pixels of its file. */
  readonly content: RawPage;
}

export interface TestDocumentPageWishes extends Omit<TestPageWishes, 'padding'> {
  /** 1 when absent. */
  readonly pageNumber?: number;
  /** PNG when absent. */
  readonly mimeType?: TestFileType;
  readonly turn?: Turn;
  readonly words?: DocumentPage['words'];
  readonly barcodes?: DocumentPage['barcodes'];
  /** Absent: `testPage` of the wishes; for a JPEG, `flatPage`. */
  readonly content?: RawPage;
  /** Of `content`. Absent: made of it. */
  readonly file?: Uint8Array;
}

/** A file comes in several slices, and in not too many. */
const MIN_SLICE_BYTES = 1000;
const MAX_SLICES = 200;

/** `read` gives new slices; `pixels` gives the content, and decodes nothing. */
export function testDocumentPage(wishes: TestDocumentPageWishes = {}): TestDocumentPage {
  const { pageNumber = 1, mimeType = 'image/png', turn = 0, words = [], barcodes = [] } = wishes;
  const content = wishes.content ?? pageContent(wishes, mimeType);
  const file = wishes.file ?? testFile(content, mimeType);
  return {
    pageNumber,
    width: content.width,
    height: content.height,
    dpi: content.dpi,
    mimeType,
    size: file.length,
    turn,
    words,
    barcodes,
    content,
    async *read() {
      const bytes = Math.max(MIN_SLICE_BYTES, Math.ceil(file.length / MAX_SLICES));
      for (let at = 0; at < file.length; at += bytes) yield new Uint8Array(file.subarray(at, at + bytes));
    },
    pixels: async () => ({ ...content, data: content.data.slice() }),
  };
}

function pageContent(wishes: TestDocumentPageWishes, mimeType: TestFileType): RawPage {
  if (mimeType !== 'image/jpeg') return testPage(wishes);
  return flatPage({ ...wishes, pixels: wishes.pixels === 'gray8' ? 'gray8' : 'rgb24' });
}
