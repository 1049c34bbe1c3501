/** What the person is told about saving: what a file is, which pages are not in it, and why there is none. */
import { PlatenError, type PlatenErrorCode } from '../../client/errors.js';
import type { Context } from '../context.js';
import { sizeWord } from '../sizes.js';
import type { Words } from '../words/words.js';
import type { Shown } from './files.js';
import { isolated } from './names.js';
import { pagesWord, type Sorted } from './pdf.js';
import { NotLoaded } from './pictureHere.js';
import type { SavingKind } from './savingActivity.js';

export interface NoticeWords {
  readonly title: string;
  readonly text?: string;
  /** A sentence of the service, which is English. */
  readonly detail?: string;
  readonly remedy?: string;
  readonly action?: { readonly text: string; run(): void };
}

/** @returns a function that closes the notice */
export type Notify = (kind: 'alert' | 'note', notice: NoticeWords) => () => void;

/** A file that was saved; of several, the first one. */
export interface MadeFile {
  readonly name: string;
  /** Of all files. */
  readonly bytes: number;
  /** Of the pages in it. */
  readonly count: number;
  /** The person sees that the document is saved. */
  readonly isSeen: boolean;
}

export interface SavingNotices {
  /** Closes the last message. */
  clear(): void;
  /**
   * Names the pages that are not in a PDF.
   * @param made absent: there was no page for it
   * @param withBlank saves the same PDF with its blank pages
   */
  pdf(sorted: Sorted, made: MadeFile | undefined, withBlank: () => void): void;
  /** Names the damaged pages, which were not saved or printed. */
  others(kind: 'images' | 'print', done: readonly Shown[], all: readonly Shown[], made?: MadeFile): void;
  failed(kind: SavingKind, error: unknown): void;
}

/** The service answers, and cannot write the document. */
const unwritten: ReadonlySet<PlatenErrorCode> = new Set(['storage-failed', 'internal']);

export function createSavingNotices(context: Context, notify: Notify, fail: (error: unknown) => void): SavingNotices {
  let close = (): void => undefined;

  /** Says what the file is, if nothing was left out of it. */
  function tellMade({ name, bytes, count, isSeen }: MadeFile): void {
    const { words } = context;
    const title = words('save.saved', { name: isolated(name) });
    if (isSeen) return context.announce(title);
    close = notify('note', { title, text: `${words('dialog.page-count', { count })} · ${sizeWord(words, bytes)}` });
  }

  return {
    clear: () => close(),
    pdf({ pages, blank, damaged }, made, withBlank) {
      const { words } = context;
      const text = leftOut(words, { blank, damaged });
      if (text === '') return made && tellMade(made);
      const title = words(pages.length > 0 ? 'save.saved-pdf' : 'save.no-page');
      const action = blank.length > 0 && { text: words('save.with-blank'), run: withBlank };
      const kind = damaged.length > 0 || pages.length === 0 ? 'alert' : 'note';
      close = notify(kind, { title, text, ...(action && { action }) });
    },
    others(kind, done, all, made) {
      const { words } = context;
      const damaged = all.filter(each => !done.includes(each));
      if (damaged.length === 0) return made && tellMade(made);
      const title = kind === 'print' ? words('print.some') : words('save.saved-images', { count: done.length });
      close = notify('alert', { title, text: leftOut(words, { damaged }) });
    },
    failed(kind, error) {
      const { words } = context;
      if (error instanceof NotLoaded)
        close = notify('alert', { title: words('print.failed'), remedy: words('print.failed-remedy') });
      else if (kind === 'pdf' && error instanceof PlatenError && unwritten.has(error.code)) {
        const remedy = words('save.pdf-failed-remedy');
        close = notify('alert', { title: words('save.pdf-failed'), detail: error.message, remedy });
      } else fail(error);
    },
  };
}

/** A sentence for each reason. */
function leftOut(words: Words, pages: Partial<Record<'blank' | 'damaged', readonly Shown[]>>): string {
  return (Object.keys(pages) as (keyof typeof pages)[])
    .filter(why => pages[why]?.length)
    .map(why => words(`save.left-out-${why}`, { pages: pagesWord(words, pages[why] ?? []) }))
    .join(' ');
}
