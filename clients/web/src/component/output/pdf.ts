/** One PDF of pages of any scans, which the service writes from the pages that it keeps. */
import type { Scan } from '../../client/scans/keptScan.js';
import { isDamaged, type Sheet } from '../pages/page.js';
import type { Words } from '../words/words.js';
import type { DocumentPage } from './documentPages.js';
import type { Shown } from './files.js';

export interface WriterOptions {
  readonly format: 'pdf';
  readonly title: string;
  readonly signal: AbortSignal;
  /** Called with the number of bytes that arrived. */
  readonly onProgress: (bytes: number) => void;
}

/** @throws PlatenError */
export type DocumentWriter = (pages: readonly DocumentPage[], options: WriterOptions) => Promise<Blob>;

/** The pages for a PDF, and those that cannot be in it. */
export interface Sorted {
  readonly pages: readonly Shown[];
  readonly damaged: readonly Shown[];
  readonly blank: readonly Shown[];
}

/** @param dropped the blank pages that their scans leave out of documents */
export function sorted(shown: readonly Shown[], dropped: readonly Sheet[]): Sorted {
  const whole = shown.filter(({ sheet }) => !isDamaged(sheet));
  return {
    pages: whole.filter(({ sheet }) => !dropped.includes(sheet)),
    blank: whole.filter(({ sheet }) => dropped.includes(sheet)),
    damaged: shown.filter(({ sheet }) => isDamaged(sheet)),
  };
}

/** Which of these blank pages their scans leave out of documents. @throws PlatenError */
export type DroppedOf = (blank: readonly Sheet[], signal: AbortSignal) => Promise<readonly Sheet[]>;

/** @param scanOf the scan with this id, if it is shown */
export const droppedOf =
  (scanOf: (id: string) => Scan | undefined): DroppedOf =>
  async (blank, signal): Promise<readonly Sheet[]> => {
    const scans = new Set(blank.map(({ page }) => page.file.scan));
    const documented = new Set<string>();
    for (const id of scans) {
      const documents = await scanOf(id)?.documents({ signal });
      for (const number of documents?.flatMap(each => each.pages) ?? []) documented.add(`${id}/${number}`);
    }
    return blank.filter(({ id }) => !documented.has(id));
  };

/** Control characters are not valid in a title. */
const notInTitles = /\p{Cc}/gu;
const LONGEST_TITLE = 500;

/** After the first page. */
export function titleOf(words: Words, { scanner, at }: Sheet): string {
  const date = words.date(at, { dateStyle: 'long', timeStyle: 'short' });
  return words('save.document-title', { scanner: scanner.replace(notInTitles, ' '), date }).slice(0, LONGEST_TITLE);
}

/** `pages 1–3, 7` */
export function pagesWord(words: Words, shown: readonly Shown[]): string {
  const ranges: number[][] = [];
  for (const { number } of shown) {
    const last = ranges.at(-1);
    if (last?.at(-1) === number - 1) last.push(number);
    else ranges.push([number]);
  }
  const said = ranges.map(([from = 0, ...others]) => {
    const to = others.at(-1);
    return to === undefined ? words.number(from) : words('pages.range', { from, to });
  });
  return words('pages.listed', { count: shown.length, list: words.list(said) });
}
