/** Writes stored pages as one document, while their scan may still run. */
import type { DocumentFormat, DocumentOptions, DocumentPage } from '../contract/document.js';
import type { Call } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { RawPage } from '../contract/page.js';
import type { StoredPage } from '../kept/storedPage.js';
import { decodedPage } from './decodedPage.js';
import type { ChosenPage, DocumentSource } from './documentPages.js';
import { assertReadsText, withWords, type WordedPage, type WordReader } from './readWords.js';

export interface DocumentWishes {
  readonly title?: string;
  /**
   * true: every page gets its text; it is read now if the scan did not read it. false: none does. Absent: pages whose
   * text was read have it.
   */
  readonly searchable?: boolean;
  /** Puts the text of the barcodes into the metadata. */
  readonly barcodes: boolean;
}

export interface DocumentParts extends WordReader {
  /** Called with each page when the document has it. */
  onPage?(page: StoredPage): void;
  /** Called when no other page comes: the scan may be continued while the document is still written. */
  onPagesEnd?(): void;
}

/** Bytes of a page's file that are read at a time. */
const SLICE_BYTES = 256 * 1024;

/**
 * Nothing is read before the first chunk is requested, and there is none before the first page is known to be sound. The
 * next request may overwrite a chunk.
 * @throws what the source throws, `no-pages` if there is none, what the format throws, and `internal` if it ends before
 *   it has had every page
 */
export async function* writeDocument(
  source: DocumentSource,
  format: DocumentFormat,
  wishes: DocumentWishes,
  parts: DocumentParts,
  { signal }: Call,
): AsyncGenerator<Uint8Array, void> {
  if (wishes.searchable) assertReadsText(parts);
  const leaving = new AbortController();
  const ending = AbortSignal.any([signal, leaving.signal]);
  const leave = (): void => leaving.abort();
  const pages = source.pages(ending);
  /** Whether the format has had every page. */
  let isWhole = false;
  try {
    const first = await pages.next();
    if (first.done)
      throw new ScanError('no-pages', 'The scan has no page for a document: none was scanned, or all are blank.');
    await first.value.stored.check();
    yield* format.write(all(first.value), optionsOf(source, wishes, parts), { signal });
    if (!isWhole) throw new ScanError('internal', `The document format ${format.name} ended before its last page.`);
  } finally {
    leave();
    await pages.return();
  }

  async function* all(first: ChosenPage): AsyncGenerator<DocumentPage, void> {
    const found = from(first);
    for await (const page of wishes.searchable ? withWords(found, parts, ending, leave) : asStored(found)) {
      yield await documentPage(page, wishes, parts, signal);
      parts.onPage?.(page.stored);
    }
    isWhole = true;
  }
  async function* from(first: ChosenPage): AsyncGenerator<ChosenPage, void> {
    yield first;
    yield* pages;
    parts.onPagesEnd?.();
  }
}

/** Pages with the words that were stored, if any were. */
async function* asStored(pages: AsyncIterable<ChosenPage>): AsyncGenerator<WordedPage, void> {
  for await (const page of pages) yield { ...page, read: undefined };
}

function optionsOf(
  { createdAt }: DocumentSource,
  { title, barcodes }: DocumentWishes,
  { software }: DocumentParts,
): DocumentOptions {
  const language = languageTag(software.ocr?.languages[0]);
  return {
    ...(title === undefined ? {} : { title }),
    ...(language === undefined ? {} : { language }),
    createdAt,
    barcodes,
  };
}

/** Tesseract's name of a language as BCP 47: `eng` is `en`. */
function languageTag(name: string | undefined): string | undefined {
  const [language = '', script] = (name ?? '').split('_');
  const scripts: Readonly<Record<string, string>> = { sim: 'Hans', tra: 'Hant', latn: 'Latn', cyrl: 'Cyrl' };
  const tag = [language, ...(script === undefined ? [] : [scripts[script] ?? ''])].filter(Boolean).join('-');
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

async function documentPage(
  { stored, number, turn, read }: WordedPage,
  { searchable }: DocumentWishes,
  { software, pool }: DocumentParts,
  signal: AbortSignal,
): Promise<DocumentPage> {
  await stored.check();
  const { width, height, dpi, mimeType, barcodes } = stored.page;
  const pixels = (): Promise<RawPage> => pool.run(() => decodedPage(stored, software, signal), signal);
  return {
    pageNumber: number,
    width,
    height,
    dpi,
    mimeType,
    size: stored.size,
    turn,
    words: searchable === false ? [] : (read ?? (await stored.words()) ?? []),
    barcodes,
    read: () => stored.read(SLICE_BYTES),
    pixels,
  };
}
