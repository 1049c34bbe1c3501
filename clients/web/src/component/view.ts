/** How a component is drawn: its parts, and the keys that work anywhere in it. */
import type { TemplateResult } from 'lit-html';
import type { Desk } from './desk.js';
import { keptAt, type Sheet } from './page.js';
import type { Saving } from './output/saving.js';
import type { PagesParts } from './views/parts.js';
import { rootView } from './views/root.js';
import { createViewer } from './views/viewer.js';

export interface View {
  draw(): TemplateResult;
}

export function createView(desk: Desk): View {
  const { context, stack, here, notices } = desk;
  let saving: Saving | undefined;
  let isLoading = false;

  const offers = (action: 'save' | 'print'): boolean => desk.options.actions.has(action);

  /** Saving is loaded where it is offered. */
  function savingHere(): Saving | undefined {
    if (!offers('save') && !offers('print')) return undefined;
    if (!saving && !isLoading) {
      isLoading = true;
      import('./output/saving.js').then(
        ({ createSaving }) => {
          saving = createSaving({
            context,
            stack,
            documentOf: (pages, options) => context.client.document(pages, options),
            droppedOf,
            isPdfInstalled: () => desk.known?.can.details?.documents.some(({ format }) => format === 'pdf') ?? false,
            notify: (kind, notice) => notices.show(kind, { ...notice, beside: true }),
            onSaved: sheets => here.mark(sheets, 'saved'),
            fail: error => void desk.fail(error),
          });
          context.changed();
        },
        (error: unknown) => void desk.fail(error),
      );
    }
    return saving;
  }

  /** Which of these blank pages their scans leave out of documents. */
  async function droppedOf(blank: readonly Sheet[], signal: AbortSignal): Promise<readonly Sheet[]> {
    const scans = new Set(blank.map(({ page }) => keptAt(page)?.scan));
    const documented = new Set<string>();
    for (const id of scans) {
      const documents = await here.byId(id ?? '')?.documents({ signal });
      for (const number of documents?.flatMap(each => each.pages) ?? []) documented.add(`${id}/${number}`);
    }
    return blank.filter(({ id, page }) => keptAt(page) !== undefined && !documented.has(id));
  }

  const pages: PagesParts = {
    context,
    stack,
    onOpen: () => viewer.open(),
    get onSave() {
      const now = savingHere();
      return now && offers('save') ? (sheets: readonly Sheet[]) => void now.saveImages(sheets) : undefined;
    },
    get onPrint() {
      const now = savingHere();
      return now && offers('print') ? (sheets: readonly Sheet[]) => void now.print(sheets) : undefined;
    },
    get onRescan() {
      return desk.canScan && !desk.job.activity ? (sheet: Sheet) => desk.scanAgain(sheet) : undefined;
    },
    onRemove: desk.remove,
  };
  const viewer = createViewer(pages);

  return {
    draw: () => rootView({ desk, pages, viewer, saving: savingHere(), onKey }),
  };

  /** Undo and redo, wherever the focus is, but in a field with text of its own. */
  function onKey(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isTyped(event)) return;
    const key = event.key.toLowerCase();
    const way = key === 'z' ? (event.shiftKey ? 'redo' : 'undo') : key === 'y' ? 'redo' : undefined;
    if (!way) return;
    event.preventDefault();
    desk[way]();
  }
}

const isTyped = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement && ['text', 'number'].includes(target.type);
