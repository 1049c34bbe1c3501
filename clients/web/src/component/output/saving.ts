/** Saving and printing, all or some of the pages, one at a time. */
import type { Context } from '../context.js';
import type { Layout } from '../pages/layout.js';
import { isDamaged, type Sheet } from '../pages/page.js';
import type { Stack } from '../pages/stack.js';
import { pagesOf } from './documentPages.js';
import { download } from './download.js';
import { filesOf, type Shown } from './files.js';
import { DEFAULT_PATTERN, factsOf, nameFields, nameFrom } from './names.js';
import { sorted, titleOf, type DocumentWriter, type DroppedOf } from './pdf.js';
import type { PrintedPage } from './print.js';
import { createRunningSaving, type SavingActivity } from './savingActivity.js';
import { createSavingNotices, type MadeFile, type Notify } from './savingNotices.js';

export interface SavingOptions {
  readonly context: Context;
  readonly stack: Stack;
  readonly documentOf: DocumentWriter;
  readonly droppedOf: DroppedOf;
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
  const told = createSavingNotices(context, notify, fail);
  const running = createRunningSaving({ context, onBegin: told.clear, onFailure: told.failed });

  const shownOf = (sheets: readonly Sheet[]): readonly Shown[] =>
    sheets.map(sheet => ({ sheet, number: stack.numberOf(sheet), turn: stack.turnOf(sheet) }));
  const nameOf = (sheets: readonly Sheet[]): string => nameFrom(saving.pattern, factsOf(sheets, new Date()));
  /** @param count of the pages in the file */
  const keep = (saved: SavedPages, count: number): MadeFile => {
    const { name, bytes } = saved;
    return { name, bytes, count, isSeen: onSaved(saved) };
  };

  async function savePdf(sheets: readonly Sheet[] = stack.all, withBlank = false): Promise<void> {
    const shown = shownOf(sheets);
    const { layout } = stack;
    await running.run('pdf', shown.length, async (signal, progress) => {
      const blank = sheets.filter(sheet => sheet.page.blank?.isBlank === true && !isDamaged(sheet));
      const dropped = withBlank || blank.length === 0 ? [] : await droppedOf(blank, signal);
      const found = sorted(shown, dropped);
      const [first] = found.pages;
      let made: MadeFile | undefined;
      if (first) {
        const title = titleOf(context.words, first.sheet);
        const onProgress = (bytes: number): void => progress({ bytes });
        const file = await documentOf(pagesOf(found.pages), { format: 'pdf', title, signal, onProgress });
        const name = `${nameOf(found.pages.map(({ sheet }) => sheet))}.pdf`;
        deliver(file, name);
        const inIt = [...found.pages, ...found.blank].map(({ sheet }) => sheet);
        made = keep({ sheets: inIt, layout, name, bytes: file.size }, found.pages.length);
      }
      told.pdf(found, made, () => void savePdf(sheets, true));
    });
  }

  async function saveImages(sheets: readonly Sheet[] = stack.all): Promise<void> {
    const shown = shownOf(sheets);
    const whole = shown.filter(({ sheet }) => !isDamaged(sheet));
    const { layout } = stack;
    await running.run('images', whole.length, async (signal, progress) => {
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
      told.others('images', whole, shown, made);
    });
  }

  async function printSheets(sheets: readonly Sheet[] = stack.all): Promise<void> {
    const shown = shownOf(sheets);
    const whole = shown.filter(({ sheet }) => !isDamaged(sheet));
    await running.run('print', whole.length, async signal => {
      const pages = whole.map(({ sheet: { page }, turn, number }) => ({ page, turn, number }));
      if (pages.length > 0) await print(pages, signal);
      told.others('print', whole, shown);
    });
  }

  const saving: Saving = {
    get activity() {
      return running.activity;
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
