/** The words of stored pages for a searchable document: those whose text was not read are read now. */
import { InvalidValue, plainWordsOf } from '../contract/errors.js';
import type { OcrRecogniser, Word } from '../contract/recogniser.js';
import type { StoredPage } from '../kept/storedPage.js';
import { createByteBudget } from '../work/byteBudget.js';
import { ahead } from '../pipeline/ahead.js';
import type { ScanNote } from '../pipeline/notes.js';
import { failureNote, readText } from '../pipeline/recognise.js';
import type { Semaphore } from '../work/semaphore.js';
import { decodedPage, type Decoders } from './decodedPage.js';
import type { ChosenPage } from './documentPages.js';

export interface WordReader {
  readonly software: Decoders & { readonly ocr: OcrRecogniser | undefined };
  readonly pool: Semaphore;
  /** Called if the text of a page cannot be read: the page is without words. */
  onNote?(note: ScanNote): void;
}

export interface WordedPage extends ChosenPage {
  /** Read now; undefined if the page was stored with its words. */
  readonly read: readonly Word[] | undefined;
}

/** Most pages whose words stay, for those that a document has several times. */
const REMEMBERED = 16;

/** @throws `invalid-value` if no plugin reads text */
export function assertReadsText({ software }: WordReader): void {
  if (!software.ocr)
    throw new InvalidValue('searchable', 'false or absent: no plugin that reads text is loaded on this computer');
}

/**
 * In the given order, as many at the same time as the pool has places.
 * @param signal ends the reading, and the given pages
 * @param leave called when nobody wants more: it aborts the signal
 * @throws what the pages throw, the signal's reason
 */
export async function* withWords(
  pages: AsyncIterable<ChosenPage>,
  { software, pool, onNote }: WordReader,
  signal: AbortSignal,
  leave: () => void,
): AsyncGenerator<WordedPage, void> {
  const recent = new Map<number, Promise<readonly Word[]>>();

  async function words(stored: StoredPage): Promise<readonly Word[]> {
    try {
      const found = await pool.run(
        async () => software.ocr!.read(await decodedPage(stored, software, signal), {}, { signal }),
        signal,
      );
      const { text, words: its } = readText(found);
      if (text !== '' && !its) throw new Error('the recogniser does not say where the words are');
      return its ?? [];
    } catch (error) {
      signal.throwIfAborted();
      onNote?.(failureNote('ocr', stored.page.pageNumber, plainWordsOf(error)));
      return [];
    }
  }

  async function read(page: ChosenPage): Promise<WordedPage> {
    const { stored, number } = page;
    if (stored.hasWords) return { ...page, read: undefined };
    const known = recent.get(number);
    const reading = known ?? words(stored);
    recent.set(number, reading);
    const [oldest] = recent.keys();
    if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
    return { ...page, read: await reading };
  }

  yield* ahead(pages, read, {
    ahead: pool.places,
    // Only words wait: pixels are there as long as a page has its place in the pool.
    budget: createByteBudget(Infinity),
    sizeOf: () => 0,
    halt: leave,
  });
}
