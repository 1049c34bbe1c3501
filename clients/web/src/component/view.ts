/** How a component is drawn: its parts, and what its keys do. */
import type { TemplateResult } from 'lit-html';
import type { ScanDialog } from './scanDialog.js';
import type { Sheet } from './pages/page.js';
import { createKeys, isMac } from './keys/keys.js';
import { latePart, type LateDialog, type LatePart } from './lateParts.js';
import type { Action } from './options.js';
import { droppedOf } from './output/pdf.js';
import { printPages } from './output/print.js';
import { createSaving } from './output/saving.js';
import printStyle from './styles/print.css';
import type { PagesParts } from './views/parts.js';
import { rootView } from './views/root.js';

export interface View {
  draw(): TemplateResult;
  /** Takes the keys that work wherever the focus is: of the element, or of the page. */
  onKey(event: Event): void;
}

/** @param adopt gives the element one more style sheet */
export function createView(dialog: ScanDialog, element: HTMLElement, adopt: (styleSheet: string) => void): View {
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
  let makesPdf = false;
  /** The same with each scanner: what was told last holds while one is asked, and the button to save stays what it is. */
  function isPdfInstalled(): boolean {
    const documents = chosen.known?.can.details?.documents;
    if (documents) makesPdf = documents.some(({ format }) => format === 'pdf');
    return makesPdf;
  }
  const saving = createSaving({
    context,
    stack,
    droppedOf: droppedOf(dialog.shownScans.byId),
    print: printPages,
    documentOf: (pages, options) => context.client.document(pages, options),
    isPdfInstalled,
    notify: (kind, notice) => notices.show(kind, { ...notice, beside: true }),
    onSaved: dialog.keepSaved,
    fail: error => void dialog.fail(error),
  });

  /** At first; the settings stay as the person left them when the window becomes another one. */
  const isWide = matchMedia('(min-width: 60rem)').matches;
  const offers = (action: Action): boolean => dialog.options.actions.has(action);
  /** Undefined: the element does not save. Where it does, the embedding page prints the selected page alone. */
  const savingHere = () => {
    if (!offers('save') && !offers('print')) return undefined;
    adopt(printStyle);
    return saving;
  };

  const pages: PagesParts = {
    context,
    stack,
    onOpen: () => open(viewer),
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
  const keyList = part(async () => {
    const { createKeyList, style } = await import('./keys/keyList.js');
    adopt(style);
    return createKeyList(context, { offers, hasPdf: () => saving.isPdfInstalled, isMac });
  });

  return {
    draw: () => rootView({ dialog, pages, preview, viewer, keyList, saving: savingHere(), isWide }),
    onKey: createKeys({
      element,
      buttons: { scan: ['scan'], save: ['save-pdf', 'save-all'], done: ['done'] },
      undo: shownDocument.undo,
      redo: shownDocument.redo,
      openList: () => void open(keyList),
    }),
  };

  async function open(late: LatePart<LateDialog>): Promise<void> {
    const loaded = await late.load();
    if (!loaded) return;
    context.changed();
    // It is drawn by then.
    queueMicrotask(loaded.open);
  }
}
