/** Saving and printing, all or some of the pages, one at a time. */
import { PlatenError, type PlatenErrorCode } from '../../client/errors.js';
import type { Context } from '../context.js';
import { isDamaged, type Sheet } from '../pages/page.js';
import { isShown } from '../pages/pictures.js';
import { sizeWord } from '../sizes.js';
import type { Layout } from '../pages/layout.js';
import type { Stack } from '../pages/stack.js';
import { download } from './download.js';
import { pagesOf } from './documentPages.js';
import { filesOf, type Shown } from './files.js';
import { DEFAULT_PATTERN, factsOf, isolated, nameFields, nameFrom } from './names.js';
import { pagesWord, sorted, titleOf, type DocumentWriter, type Sorted } from './pdf.js';
import { NotLoaded } from './notLoaded.js';
import type { PrintedPage } from './print.js';

export interface NoticeWords {
  readonly title: string;
  readonly text?: string;
  /** A sentence of the service, which is English. */
  readonly detail?: string;
  readonly remedy?: string;
  readonly action?: { readonly text: string; run(): void };
}

/** The service answers, and cannot write the document. */
const unwritten: ReadonlySet<PlatenErrorCode> = new Set(['storage-failed', 'internal']);

/** @returns a function that closes the notice */
export type Notify = (kind: 'alert' | 'note', notice: NoticeWords) => () => void;

export interface SavingOptions {
  readonly context: Context;
  readonly stack: Stack;
  readonly documentOf: DocumentWriter;
  /** Which of these blank pages their scans leave out of documents. */
  droppedOf(blank: readonly Sheet[], signal: AbortSignal): Promise<readonly Sheet[]>;
  isPdfInstalled(): boolean;
  readonly notify: Notify;
  /** @returns whether the person sees that the document is saved */
  onSaved(saved: SavedPages): boolean;
  fail(error: unknown): void;
  /** Absent: the browser's download. */
  readonly download?: (file: Blob, name: string) => void;
  /** Opens the browser's dialog. @throws if a page cannot be loaded */
  readonly print: (pages: readonly PrintedPage[], signal: AbortSignal) => Promise<void>;
}

/** Pages that are in a file now. */
export interface SavedPages {
  readonly sheets: readonly Sheet[];
  /** All pages, as they were when it was begun. */
  readonly layout: Layout;
  /** The file's; of several files, the first one's. */
  readonly name: string;
  /** Of all files. */
  readonly bytes: number;
}

interface Made extends SavedPages {
  /** Of the pages in the file. */
  readonly count: number;
  /** The person sees that the document is saved. */
  readonly isSeen: boolean;
}

export type SavingKind = 'pdf' | 'images' | 'print';

/** What is being saved. */
export interface SavingActivity {
  readonly kind: SavingKind;
  /** Pages. */
  readonly total: number;
  /** Pages that are finished; of a PDF, 0. */
  readonly done: number;
  /** Of a PDF, so far. */
  readonly bytes: number;
  cancel(): void;
}

export interface Saving {
  /** Undefined: nothing is being saved. */
  readonly activity: SavingActivity | undefined;
  /** Of file names; remembered. */
  pattern: string;
  /** The pattern's fields, without their braces. */
  readonly fields: readonly string[];
  /** A file name of the pattern. */
  readonly example: string;
  readonly isPdfInstalled: boolean;
  /** One document, without the pages that cannot be in it, which a notice names. Absent: all pages. */
  savePdf(sheets?: readonly Sheet[]): Promise<void>;
  saveImages(sheets?: readonly Sheet[]): Promise<void>;
  /** One page a sheet. Resolves when the browser's dialog is over. */
  print(sheets?: readonly Sheet[]): Promise<void>;
}

const REMEMBERED = 'fileName';

export function createSaving(options: SavingOptions): Saving {
  const { context, stack, documentOf, droppedOf, notify, onSaved, fail } = options;
  const { download: deliver = download, print } = options;
  let activity: SavingActivity | undefined;
  /** Closes the message of the last one that failed. */
  let forget = (): void => undefined;

  const shownOf = (sheets: readonly Sheet[]): readonly Shown[] =>
    sheets.map(sheet => ({ sheet, number: stack.numberOf(sheet), turn: stack.turnOf(sheet) }));
  const isCancelled = (error: unknown): boolean =>
    (error instanceof PlatenError && error.code === 'cancelled') ||
    (error instanceof DOMException && error.name === 'AbortError');

  /** One at a time: a second press is not a second file. */
  async function during(
    kind: SavingKind,
    total: number,
    run: (
      signal: AbortSignal,
      progress: (now: Partial<Pick<SavingActivity, 'done' | 'bytes'>>) => void,
    ) => Promise<void>,
  ): Promise<void> {
    if (activity) return;
    forget();
    const stop = new AbortController();
    activity = { kind, total, done: 0, bytes: 0, cancel: () => stop.abort() };
    context.announce(context.words(`save.begun-${kind}`, { count: total }));
    context.changed();
    try {
      await run(stop.signal, now => {
        if (activity) activity = { ...activity, ...now };
        context.changed();
      });
    } catch (error) {
      if (stop.signal.aborted || isCancelled(error)) context.announce(context.words('save.cancelled'));
      else tellFailure(kind, error);
    } finally {
      activity = undefined;
      context.changed();
    }
  }

  function tellFailure(kind: SavingKind, error: unknown): void {
    const { words } = context;
    if (error instanceof NotLoaded)
      forget = notify('alert', { title: words('print.failed'), remedy: words('print.failed-remedy') });
    else if (kind === 'pdf' && error instanceof PlatenError && unwritten.has(error.code)) {
      const remedy = words('save.pdf-failed-remedy');
      forget = notify('alert', { title: words('save.pdf-failed'), detail: error.message, remedy });
    } else fail(error);
  }

  async function savePdf(sheets: readonly Sheet[] = stack.all, withBlank = false): Promise<void> {
    const shown = shownOf(sheets);
    const { layout } = stack;
    await during('pdf', shown.length, async (signal, progress) => {
      const blank = sheets.filter(sheet => sheet.page.blank?.isBlank === true && !isDamaged(sheet));
      const dropped = withBlank || blank.length === 0 ? [] : await droppedOf(blank, signal);
      const found = sorted(shown, dropped);
      const [first] = found.pages;
      let made: Made | undefined;
      if (first) {
        const title = titleOf(context.words, first.sheet);
        const onProgress = (bytes: number): void => progress({ bytes });
        const file = await documentOf(pagesOf(found.pages), { format: 'pdf', title, signal, onProgress });
        const name = `${nameOf(found.pages.map(({ sheet }) => sheet))}.pdf`;
        deliver(file, name);
        const inIt = [...found.pages, ...found.blank].map(({ sheet }) => sheet);
        made = keep({ sheets: inIt, layout, name, bytes: file.size }, found.pages.length);
      }
      tell(found, sheets, made);
    });
  }

  /** @param count of the pages in the file */
  const keep = (saved: SavedPages, count: number): Made => ({ ...saved, count, isSeen: onSaved(saved) });

  /** Says what the file is, if nothing was left out of it. */
  function tellMade({ name, bytes, count, isSeen }: Made): void {
    const { words } = context;
    const title = words('save.saved', { name: isolated(name) });
    if (isSeen) return context.announce(title);
    forget = notify('note', { title, text: `${words('dialog.page-count', { count })} · ${sizeWord(words, bytes)}` });
  }

  /** Says which pages are not in the document. */
  function tell({ pages, blank, here, damaged }: Sorted, sheets: readonly Sheet[], made?: Made): void {
    const { words } = context;
    const text = leftOut({ blank, here, damaged });
    const title = words(pages.length > 0 ? 'save.saved-pdf' : 'save.no-page');
    if (text === '') return made && tellMade(made);
    const action =
      blank.length > 0
        ? { text: words('save.with-blank'), run: () => void savePdf(sheets, true) }
        : here.length > 0
          ? { text: words('save.as-images'), run: () => void saveImages(here.map(({ sheet }) => sheet)) }
          : undefined;
    const kind = damaged.length > 0 || pages.length === 0 ? 'alert' : 'note';
    forget = notify(kind, { title, text, ...(action && { action }) });
  }

  const nameOf = (sheets: readonly Sheet[]): string => nameFrom(saving.pattern, factsOf(sheets, new Date()));

  async function saveImages(sheets: readonly Sheet[] = stack.all): Promise<void> {
    const shown = shownOf(sheets);
    const whole = shown.filter(({ sheet }) => !isDamaged(sheet));
    const { layout } = stack;
    await during('images', whole.length, async (signal, progress) => {
      let done = 0;
      const onPage = (): void => progress({ done: ++done });
      const files = filesOf(whole, { pattern: saving.pattern, signal, onPage });
      let bytes = 0;
      for (const { read, name } of files) {
        const file = await read();
        bytes += file.size;
        deliver(file, name);
      }
      const inIt = whole.map(({ sheet }) => sheet);
      const [first] = files;
      const made = first && keep({ sheets: inIt, layout, name: first.name, bytes }, whole.length);
      tellOut('images', whole, shown, made);
    });
  }

  async function printSheets(sheets: readonly Sheet[] = stack.all): Promise<void> {
    const shown = shownOf(sheets);
    const whole = shown.filter(({ sheet }) => isShown(sheet.page));
    await during('print', whole.length, async signal => {
      const pages = whole.map(({ sheet: { page }, turn, number }) => ({ page, turn, number }));
      if (pages.length > 0) await print(pages, signal);
      tellOut('print', whole, shown);
    });
  }

  /** Names the pages that are not saved or printed. */
  function tellOut(kind: 'images' | 'print', done: readonly Shown[], all: readonly Shown[], made?: Made): void {
    const { words } = context;
    const out = all.filter(each => !done.includes(each));
    const title = kind === 'print' ? words('print.some') : words('save.saved-images', { count: done.length });
    if (out.length === 0) return made && tellMade(made);
    const damaged = out.filter(({ sheet }) => isDamaged(sheet));
    const text = leftOut({ damaged, unshown: out.filter(each => !damaged.includes(each)) });
    forget = notify('alert', { title, text });
  }

  /** A sentence for each reason. */
  function leftOut(pages: Partial<Record<'blank' | 'here' | 'damaged' | 'unshown', readonly Shown[]>>): string {
    const { words } = context;
    return (Object.keys(pages) as (keyof typeof pages)[])
      .filter(why => pages[why]?.length)
      .map(why => words(`save.left-out-${why}`, { pages: pagesWord(words, pages[why] ?? []) }))
      .join(' ');
  }

  const saving: Saving = {
    get activity() {
      return activity;
    },
    get pattern() {
      const remembered = context.memory.recall(REMEMBERED);
      return typeof remembered === 'string' && remembered.trim() !== '' ? remembered : DEFAULT_PATTERN;
    },
    set pattern(pattern) {
      context.memory.remember(REMEMBERED, pattern);
      context.changed();
    },
    fields: nameFields,
    get example() {
      return nameOf(stack.all);
    },
    get isPdfInstalled() {
      return options.isPdfInstalled();
    },
    savePdf: sheets => savePdf(sheets),
    saveImages,
    print: printSheets,
  };
  return saving;
}
