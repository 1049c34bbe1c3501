/** Done: the pages as files for the page that embeds the component. */
import { PlatenError } from '../../client/errors.js';
import type { Context } from '../context.js';
import type { Notices } from '../messages/notices.js';
import type { Options } from '../options.js';
import { DEFAULT_PATTERN, extensionOf, factsOf, nameFrom, patternOfPages } from './names.js';
import { pagesOf } from './documentPages.js';
import { isDamaged } from '../pages/page.js';
import type { ShownScans } from '../scanning/shownScans.js';
import type { Layout } from '../pages/layout.js';
import type { Stack } from '../pages/stack.js';

export interface DeliveryParts {
  readonly context: Context;
  readonly stack: Stack;
  readonly shownScans: ShownScans;
  readonly notices: Notices;
  options(): Options;
  /** @param layout of the pages in the files */
  onFiles(files: readonly File[], layout: Layout): void;
  fail(error: unknown): Promise<void>;
}

export interface Delivery {
  readonly isWorking: boolean;
  /** Done was pressed. */
  run(): Promise<void>;
  cancel(): void;
  /** The same without handing them over. @param format absent: the element's. @throws PlatenError */
  files(format?: string, signal?: AbortSignal): Promise<readonly File[]>;
}

export function createDelivery({
  context,
  stack,
  shownScans,
  notices,
  options,
  onFiles,
  fail,
}: DeliveryParts): Delivery {
  let working: AbortController | undefined;

  /** In the person's order, turned; damaged pages are left out. */
  async function files(format = options().format, signal = new AbortController().signal): Promise<readonly File[]> {
    const sheets = stack.all.filter(sheet => !isDamaged(sheet));
    const [first] = sheets;
    if (!first) throw new PlatenError('no-pages', context.words('done.no-pages'));
    const shown = sheets.map(sheet => ({ sheet, number: stack.numberOf(sheet), turn: stack.turnOf(sheet) }));
    if (format !== 'images') {
      const file = await context.client.document(pagesOf(shown), { format, signal });
      const name = nameFrom(DEFAULT_PATTERN, factsOf(sheets, first.at));
      return [new File([file], `${name}.${format}`, { type: file.type })];
    }
    const made: File[] = [];
    for (const { sheet, number, turn } of shown) {
      signal.throwIfAborted();
      const blob = await sheet.page.file.read(turn);
      const facts = { ...factsOf([sheet], sheet.at), page: number };
      const name = `${nameFrom(patternOfPages(DEFAULT_PATTERN), facts)}.${extensionOf(blob.type)}`;
      made.push(new File([blob], name, { type: blob.type }));
    }
    return made;
  }

  return {
    get isWorking() {
      return working !== undefined;
    },
    files,
    cancel: () => working?.abort(),
    async run() {
      if (working) return;
      working = new AbortController();
      context.changed();
      const { all: sheets, layout } = stack;
      try {
        const made = await files(undefined, working.signal);
        shownScans.mark(sheets, 'handed-over');
        const { words } = context;
        const left = sheets.filter(isDamaged).length;
        notices.show(left > 0 ? 'alert' : 'note', {
          title: words('done.handed-over', { count: sheets.length - left }),
          text: [left > 0 && words('done.left-out', { count: left }), words('done.again')].filter(Boolean).join(' '),
        });
        onFiles(made, layout);
      } catch (error) {
        if (!(error instanceof PlatenError && error.code === 'cancelled') && !working.signal.aborted) await fail(error);
      } finally {
        working = undefined;
        context.changed();
      }
    },
  };
}
