/** How a component is drawn: its parts, and the keys that work anywhere in it. */
import type { TemplateResult } from 'lit-html';
import type { Desk } from './desk.js';
import type { Sheet } from './page.js';
import { later, type Later } from './later.js';
import type { SavingOptions } from './output/saving.js';
import type { Area } from './words/otherLanguages.js';
import type { PagesParts } from './views/parts.js';
import { rootView } from './views/root.js';

export interface View {
  draw(): TemplateResult;
}

/** What is loaded when it is used. */
function createParts(desk: Desk, adopt: (styleSheet: string) => void) {
  const { context } = desk;
  const part = <T>(importPart: () => Promise<T>, onFailure?: () => void): Later<T> =>
    later(importPart, context.changed, error => {
      onFailure?.();
      void desk.fail(error);
    });
  /** With the words that it shows. */
  async function withWords<T>(areas: readonly Area[], module: Promise<T>): Promise<T> {
    const [given] = await Promise.all([module, ...areas.map(context.learn)]);
    return given;
  }
  return {
    settings: part(async () => {
      const { settingsView, style } = await withWords(['settings'], import('./settings/settingsPart.js'));
      adopt(style);
      return settingsView;
    }),
    facts: part(async () => {
      const { factsView, style } = await withWords(['actions', 'settings'], import('./views/factsPart.js'));
      adopt(style);
      return factsView;
    }),
    preview: part(async () => {
      const { previewView, style } = await withWords(['settings'], import('./settings/previewPart.js'));
      adopt(style);
      return previewView;
    }, desk.preview.close),
    waiting: part(async () => await withWords(['actions'], import('./views/waiting.js'))),
    viewer: (pages: PagesParts) =>
      part(async () => {
        const { createViewerPart, style } = await withWords(['actions'], import('./views/viewerPart.js'));
        adopt(style);
        return createViewerPart(pages);
      }),
    saving: (options: Omit<SavingOptions, 'droppedOf'>) =>
      part(async () => {
        const { createSaving, droppedOf, savedView, savingView, savingActivityView, styles } = await withWords(
          ['actions'],
          import('./views/savingPart.js'),
        );
        styles.forEach(adopt);
        return {
          savedView,
          savingActivityView,
          savingView,
          saving: createSaving({ ...options, droppedOf: droppedOf(desk.here.byId) }),
        };
      }),
  };
}

/** @param adopt gives the element one more style sheet */
export function createView(desk: Desk, adopt: (styleSheet: string) => void): View {
  const { context, stack, notices } = desk;
  const { settings, facts, preview, waiting, ...more } = createParts(desk, adopt);
  const saving = more.saving({
    context,
    stack,
    documentOf: (pages, options) => context.client.document(pages, options),
    isPdfInstalled: () => desk.known?.can.details?.documents.some(({ format }) => format === 'pdf') ?? false,
    notify: (kind, notice) => notices.show(kind, { ...notice, beside: true }),
    onSaved: desk.keepSaved,
    fail: error => void desk.fail(error),
  });

  /** At first; the settings stay as the person left them when the window becomes another one. */
  const isWide = matchMedia('(min-width: 60rem)').matches;
  const offers = (action: 'save' | 'print'): boolean => desk.options.actions.has(action);
  const savingHere = () => (offers('save') || offers('print') ? saving.wanted : undefined);

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
      const now = savingHere()?.saving;
      return now && offers('save') ? (sheets: readonly Sheet[]) => void now.saveImages(sheets) : undefined;
    },
    get onPrint() {
      const now = savingHere()?.saving;
      return now && offers('print') ? (sheets: readonly Sheet[]) => void now.print(sheets) : undefined;
    },
    get onRescan() {
      return desk.canScan && !desk.job.activity ? (sheet: Sheet) => desk.scanAgain(sheet) : undefined;
    },
    onRemove: desk.remove,
  };
  const viewer = more.viewer(pages);

  return {
    draw: () =>
      rootView({ desk, pages, settings, facts, preview, viewer, waiting, saving: savingHere(), isWide, onKey }),
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
