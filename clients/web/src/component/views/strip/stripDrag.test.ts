import t from 'tap';
import type { ActionParts } from '../../pages/pageActions.js';
import { fakeContext, kept, type FakeContext } from '../../pages/sheets.test.kit.js';
import { createStack } from '../../pages/stack.js';
import { en } from '../../words/en.js';
import { english } from '../../words/english.test.kit.js';
import { wordsOf, type Words } from '../../words/words.js';
import { dragHandlers } from './stripDrag.js';

interface Item {
  readonly dataset: Record<string, string>;
}
interface ScanDialog extends ActionParts {
  readonly context: FakeContext;
  shown(): string;
  /** Drags a page over another one, and drops it. @param at 0 to 1, from the left edge @returns its insertion mark */
  drag(from: number, over: number, at: number): string | undefined;
  /** @returns whether the strip took something that was not dragged from it */
  takesForeign(over: number): boolean;
}

function dialog(words: Words = english): ScanDialog {
  const context = fakeContext(words);
  const stack = createStack(() => undefined);
  stack.add(
    [1, 2, 3, 4, 5].map(number => kept('a', number)),
    'same',
  );
  const parts: ActionParts = { context, stack, onRemove: sheets => stack.remove(sheets) };
  const page = (number: number) => stack.all.find(({ id }) => id === `a/${number}`)!;
  function eventOn(item: Item, at: number): DragEvent & { readonly isTaken: boolean } {
    const event = {
      isTaken: false,
      clientX: 100 + at * 50,
      currentTarget: { ...item, getBoundingClientRect: () => ({ left: 100, width: 50 }) },
      dataTransfer: { setData: () => undefined, effectAllowed: 'all' },
      preventDefault: () => void (event.isTaken = true),
      stopPropagation: () => undefined,
    };
    return event as unknown as DragEvent & { readonly isTaken: boolean };
  }
  return {
    ...parts,
    context,
    shown: () => stack.all.map(({ id }) => id.slice(2)).join(' '),
    drag(from, over, at) {
      const [dragged, target] = [dragHandlers(parts, page(from)), dragHandlers(parts, page(over))];
      const item: Item = { dataset: {} };
      dragged.onStart(eventOn({ dataset: {} }, 0));
      target.onOver(eventOn(item, at));
      const mark = item.dataset['drop'];
      target.onDrop(eventOn(item, at));
      dragged.onEnd(eventOn({ dataset: {} }, 0));
      return item.dataset['drop'] === '' ? mark : 'still there';
    },
    takesForeign(over) {
      const item: Item = { dataset: {} };
      const target = dragHandlers(parts, page(over));
      const events = [eventOn(item, 0), eventOn(item, 0)] as const;
      target.onOver(events[0]);
      target.onDrop(events[1]);
      return events.some(({ isTaken }) => isTaken);
    },
  };
}

t.test('strip drag: before or after the page under the pointer', async t => {
  const { drag, shown, context } = dialog();
  t.equal(drag(1, 3, 0.8), 'after');
  t.equal(shown(), '2 3 1 4 5');
  t.equal(context.said.at(-1), 'Page 1 moved to place 3');
  t.equal(context.focused.at(-1), 'thumb-a/1');
  t.equal(drag(5, 2, 0.2), 'before');
  t.equal(shown(), '5 2 3 1 4');
  drag(2, 2, 0.9);
  drag(2, 3, 0.1);
  t.equal(shown(), '5 2 3 1 4', 'where it was');
});

t.test('strip drag: right to left, the left half is after', async t => {
  const { drag, shown } = dialog(wordsOf('ar', en));
  t.equal(drag(1, 2, 0.2), 'after');
  t.equal(shown(), '2 1 3 4 5');
});

t.test('strip drag: a marked page takes the other marked ones along, another one goes alone', async t => {
  const { drag, shown, stack } = dialog();
  for (const number of [1, 4]) stack.mark(kept('a', number), 'toggle');
  const marked = stack.all.filter(({ id }) => ['a/1', 'a/4'].includes(id));
  t.same(stack.marked, marked);
  drag(4, 5, 0.9);
  t.equal(shown(), '2 3 5 1 4');
  drag(2, 5, 0.9);
  t.equal(shown(), '3 5 2 1 4');
});

t.test('strip drag: files of the desktop are somebody else’s', async t => {
  const { takesForeign, drag, shown } = dialog();
  t.equal(takesForeign(2), false);
  drag(1, 2, 0.9);
  t.equal(takesForeign(2), false, 'also after a page was dragged');
  t.equal(shown(), '2 1 3 4 5');
});
