/** The pages that are shown, as one document: their order and history, and what the person did with them. */
import type { Scan } from '../client/scans/keptScan.js';
import type { Context } from './context.js';
import type { Take } from './scanning/job.js';
import type { Memory } from './memory.js';
import type { Notices } from './messages/notices.js';
import type { SavedPages } from './output/saving.js';
import { isDamaged, type Sheet } from './pages/page.js';
import type { SavedDocument, SavedDocuments } from './pages/savedDocuments.js';
import type { ShownScans } from './scanning/shownScans.js';
import { createStack, type Stack } from './pages/stack.js';
import type { History } from './pages/undoHistory.js';

export interface DocumentParts {
  readonly context: Context;
  /** Of this component alone. */
  readonly own: Memory;
  readonly notices: Notices;
  readonly shownScans: ShownScans;
  readonly documents: SavedDocuments;
}

export interface ShownDocument {
  readonly stack: Stack;
  /** Saved like this; undefined: it was changed since, or never saved. */
  readonly saved: SavedDocument | undefined;
  /** The next scan takes the place of this page. */
  readonly replaced: Sheet | undefined;
  /** Takes the pages of a scan, after the others. */
  readonly append: Take;
  /** Takes the pages of an auto-scan, after the others: the last one is looked at. */
  readonly latest: Take;
  /** Takes the pages of a scan: the first one in the place of this page, the others after it. */
  replacing(old: Sheet): Take;
  /** @param sheet undefined: the next scan takes the place of no page */
  scanAgain(sheet: Sheet | undefined): void;
  remove(sheets: readonly Sheet[]): void;
  /** Pages were saved. */
  keepSaved(pages: SavedPages): void;
  /** Shows no pages. */
  clear(): void;
  undo(): void;
  redo(): void;
  /** The pages of this scan, which runs, are not shown. */
  refuse(scan: Scan): void;
  /** @returns whether its pages were not wanted; asked once, when it is over */
  wasRefused(scan: Scan): boolean;
}

export function createShownDocument({ context, own, notices, shownScans, documents }: DocumentParts): ShownDocument {
  const stack = createStack(onStack, own.recall('stack', 'tab') as History | undefined);
  let replaced: Sheet | undefined;
  /** Ids of scans that ran when everything was reset. */
  const unwanted = new Set<string>();

  /** What is removed is marked, so that it does not come back with the next visit. */
  function onStack(): void {
    const shown = new Set(stack.all);
    const [left, gone] = [stack.all, stack.known.filter(sheet => !shown.has(sheet))];
    shownScans.mark(gone, 'removed');
    shownScans.mark(
      left.filter(sheet => shownScans.isMarked(sheet, 'removed')),
      undefined,
    );
    own.remember('stack', stack.history, 'tab');
    context.changed();
  }

  /** A page that was removed earlier comes back only where its removal can be undone. */
  function wantedOf(sheets: readonly Sheet[]): readonly Sheet[] {
    const { before, now, after } = stack.history;
    const placed = new Set([...before, now, ...after].flatMap(({ order }) => order));
    return sheets
      .filter(({ page }) => !unwanted.has(page.file.scan))
      .filter(sheet => !shownScans.isMarked(sheet, 'removed') || placed.has(sheet.id));
  }

  const append: Take = (sheets, isFirst) => stack.add(wantedOf(sheets), isFirst ? 'first' : 'same');
  const latest: Take = sheets => stack.add(wantedOf(sheets), 'last');

  function undo(): void {
    if (!stack.canUndo) return;
    stack.undo();
    notices.clearOutdated();
    context.announce(context.words('dialog.undone'));
  }

  return {
    ...{ stack, append, latest },
    get saved() {
      return documents.as(stack.layout);
    },
    get replaced() {
      return replaced && stack.all.includes(replaced) ? replaced : undefined;
    },
    replacing: old => (sheets, isFirst) => {
      if (isFirst && stack.all.includes(old)) stack.replace(old, sheets);
      else append(sheets, isFirst);
    },
    scanAgain(sheet) {
      replaced = sheet;
      context.changed();
      if (sheet) context.focus('scan');
    },
    remove(sheets) {
      const count = sheets.length;
      stack.remove(sheets);
      notices.show('note', {
        title: context.words('dialog.removed', { count }),
        beside: true,
        action: { text: context.words('undo'), run: undo },
      });
    },
    keepSaved({ sheets, layout, name, bytes }) {
      shownScans.mark(sheets, 'saved');
      const inIt = new Set(sheets);
      const isWhole = stack.all.every(sheet => isDamaged(sheet) || inIt.has(sheet));
      if (isWhole) documents.add({ name, bytes, layout });
      context.changed();
    },
    clear() {
      stack.clear();
      notices.clear();
      replaced = undefined;
    },
    undo,
    redo() {
      if (!stack.canRedo) return;
      stack.redo();
      notices.clearOutdated();
      context.announce(context.words('dialog.redone'));
    },
    refuse: ({ id }) => void unwanted.add(id),
    wasRefused: ({ id }) => unwanted.delete(id),
  };
}
