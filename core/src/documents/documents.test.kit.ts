/** Kept scans of which a test says what they have, and a document format that writes a line for each page. */
import type { DocumentFormat } from '../contract/document.js';
import type { ErrorCode } from '../contract/errors.js';
import type { Word } from '../contract/recogniser.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { ScanState } from '../kept/scanFacts.js';
import type { StoredPage } from '../kept/storedPage.js';
import { pageOf } from '../kept/storedPage.test.kit.js';
import type { FinishedPage } from '../pipeline/finish.js';
import { slices } from '../pipeline/spool.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import { optionsWith } from '../service.test.kit.js';
import { createNotifier } from '../time/notifier.js';
import { pagesOfScan, type DocumentSource, type IsKept, type PagesOfScan } from './documentPages.js';

export function storedPage(
  more: Partial<FinishedPage> & { pageNumber: number },
  its: Partial<StoredPage> = {},
): StoredPage {
  const { data, words, ...page } = { ...pageOf(more.pageNumber), ...more };
  return {
    page,
    report: false,
    size: data.byteLength,
    sha256: '',
    ...(words ? { hasWords: true } : {}),
    delivered: false,
    isStored: true,
    check: async () => undefined,
    words: async () => words,
    read: (sliceBytes, start, end) => slices(data.subarray(start, end), sliceBytes),
    deliver: () => undefined,
    drop: () => undefined,
    ...its,
  };
}

/** A scan that runs until the test ends it. */
export function runningScan(first: readonly StoredPage[] = [], options: Partial<ScanOptions> = {}) {
  const change = createNotifier();
  const pages = [...first];
  let state: ScanState = 'running';
  let code: ErrorCode | undefined;
  const scan: KeptScan = {
    id: 'a',
    origins: [''],
    kind: 'scan',
    scannerName: 'Desk',
    options: optionsWith(options),
    createdAt: 5,
    notes: [],
    pages,
    get state() {
      return state;
    },
    get code() {
      return code;
    },
    get progress() {
      return { scanned: pages.length, finished: pages.length };
    },
    changed: change.wait,
    cancel: () => undefined,
  };
  return {
    scan,
    add(...more: readonly StoredPage[]) {
      pages.push(...more);
      change.notify();
    },
    end(how: ScanState = 'completed', why?: ErrorCode) {
      state = how;
      code = why;
      change.notify();
    },
    letGo() {
      pages.length = 0;
      change.notify();
    },
  };
}

export function endedScan(pages: readonly StoredPage[], options: Partial<ScanOptions> = {}): KeptScan {
  const { scan, end } = runningScan(pages, options);
  end();
  return scan;
}

export const sourceOf = (
  scan: KeptScan,
  { turns = new Map(), ...wishes }: Partial<PagesOfScan> = {},
  isKept: IsKept = () => true,
): DocumentSource => pagesOfScan(scan, { turns, ...wishes }, isKept);

export const word = (text: string): Word => ({ text, confidence: 1, x: 1, y: 1, width: 5, height: 2, line: 1 });

/** A line for each page: its number, its turn, its words and its bytes. */
export const listing: DocumentFormat = {
  name: 'Listing',
  mimeType: 'text/plain',
  extension: 'list',
  async *write(pages, { title, language, createdAt }, { signal }) {
    yield Buffer.from(`${title ?? '-'} ${language ?? '-'} ${createdAt}\n`);
    for await (const { pageNumber, turn, words, size, read } of pages) {
      signal.throwIfAborted();
      let bytes = 0;
      for await (const slice of read()) bytes += slice.byteLength;
      if (bytes !== size) throw new Error(`page ${pageNumber} has ${bytes} bytes`);
      yield Buffer.from(`${pageNumber} ${turn} ${words.map(({ text }) => text).join('+')}\n`);
    }
    yield Buffer.from('end\n');
  },
};
