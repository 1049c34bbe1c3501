/** How a component is drawn: its parts, and the keys that work anywhere in it. */
import type { TemplateResult } from 'lit-html';
import type { ScanDialog } from './scanDialog.js';
import type { Sheet } from './pages/page.js';
import { latePart, type LatePart } from './lateParts.js';
import { droppedOf } from './output/pdf.js';
import { printPages } from './output/print.js';
import { createSaving } from './output/saving.js';
import printStyle from './styles/print.css';
import type { PagesParts } from './views/parts.js';
import { rootView } from './views/root.js';

export interface View {
  draw(): TemplateResult;
}

/** @param adopt gives the element one more style sheet */
export function createView(dialog: ScanDialog, adopt: (styleSheet: string) => void): View {
  const { context, chosen, shownDocument, notices } = dialog;
  const { stack } = shownDocument;
  const part = <T>(importPart: () => Promise<T>, onFailure?: () => void): LatePart<T> =>
    latePart(importPart, context.changed, error => {
      onFailure?.();
      void dialog.fail(error);
    });
  const preview = part(async () => {
    const { previewView, style } = await import('./settings/previewView.js');
    adopt(style);
    return previewView;
  }, chosen.preview.close);
  const saving = createSaving({
    context,
    stack,
    droppedOf: droppedOf(dialog.shownScans.byId),
    print: printPages,
    documentOf: (pages, options) => context.client.document(pages, options),
    isPdfInstalled: () => chosen.known?.can.details?.documents.some(({ format }) => format === 'pdf') ?? false,
    notify: (kind, notice) => notices.show(kind, { ...notice, beside: true }),
    onSaved: dialog.keepSaved,
    fail: error => void dialog.fail(error),
  });

  /** At first; the settings stay as the person left them when the window becomes another one. */
  const isWide = matchMedia('(min-width: 60rem)').matches;
  const offers = (action: 'save' | 'print'): boolean => dialog.options.actions.has(action);
  /** Undefined: the element does not save. Where it does, the embedding page prints the selected page alone. */
  const savingHere = () => {
    if (!offers('save') && !offers('print')) return undefined;
    adopt(printStyle);
    return saving;
  };

  const pages: PagesParts = {
    context,
    stack,
    async onOpen() {
      const loaded = await viewer.load();
      if (!loaded) return;
      context.changed();
      // It is drawn by then.
      queueMicrotask(loaded.open);
    },
    get onSave() {
      return offers('save') ? (sheets: readonly Sheet[]) => void saving.saveImages(sheets) : undefined;
    },
    get onPrint() {
      return offers('print') ? (sheets: readonly Sheet[]) => void saving.print(sheets) : undefined;
    },
    get onRescan() {
      return chosen.canScan && !dialog.job.activity ? (sheet: Sheet) => shownDocument.scanAgain(sheet) : undefined;
    },
    onRemove: shownDocument.remove,
  };
  const viewer = part(async () => {
    const { createViewerPart, style } = await import('./views/viewer/viewerPart.js');
    adopt(style);
    return createViewerPart(pages);
  });

  return {
    draw: () => rootView({ dialog, pages, preview, viewer, saving: savingHere(), isWide, onKey }),
  };

  /** Undo and redo, wherever the focus is, but in a field with text of its own. */
  function onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyped(event)) return;
    const key = event.key.toLowerCase();
    const way = key === 'z' ? (event.shiftKey ? 'redo' : 'undo') : key === 'y' ? 'redo' : undefined;
    if (!way) return;
    event.preventDefault();
    shownDocument[way]();
  }
}

const isTyped = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement && ['text', 'number'].includes(target.type);
