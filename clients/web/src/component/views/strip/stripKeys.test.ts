import t from 'tap';
import type { ActionParts } from '../../pages/pageActions.js';
import { fakeContext, kept, type FakeContext } from '../../pages/sheets.test.kit.js';
import { createStack } from '../../pages/stack.js';
import { onStripKey, type StripKey } from './stripKeys.js';
import { en } from '../../words/en.js';
import { english } from '../../words/english.test.kit.js';
import { wordsOf, type Words } from '../../words/words.js';

interface ScanDialog extends ActionParts {
  readonly context: FakeContext;
  /** Presses it on the selected page's thumbnail. @param keys such as `Alt+ArrowRight` */
  press(keys: string): boolean;
  /** The pages' numbers in their scan, the selected one in brackets, marked ones with a star. */
  shown(): string;
}

function dialog(count: number, words: Words = english): ScanDialog {
  const context = fakeContext(words);
  const stack = createStack(() => undefined);
  stack.add(
    Array.from({ length: count }, (_, at) => kept('a', at + 1)),
    'same',
  );
  const parts: ActionParts = { context, stack, onRemove: sheets => stack.remove(sheets) };
  return {
    ...parts,
    context,
    press(keys) {
      const held = keys.split('+');
      const key = held.pop() ?? '';
      const has = (name: string): boolean => held.includes(name);
      const event: StripKey = {
        key: key === 'Space' ? ' ' : key,
        altKey: has('Alt'),
        ctrlKey: has('Control'),
        metaKey: has('Meta'),
        shiftKey: has('Shift'),
      };
      return stack.chosen !== undefined && onStripKey(event, stack.chosen, parts);
    },
    shown: () =>
      stack.all
        .map(sheet => {
          const number = sheet.id.slice(2) + (stack.marked.includes(sheet) ? '*' : '');
          return sheet === stack.chosen ? `[${number}]` : number;
        })
        .join(' '),
  };
}

t.test('strip keys: arrows, Home and End select, and the focus goes with them', async t => {
  const { press, shown, context } = dialog(4);
  press('ArrowRight');
  t.equal(shown(), '1 [2] 3 4');
  press('End');
  press('ArrowRight');
  t.equal(shown(), '1 2 3 [4]', 'there is no further one');
  press('Home');
  press('ArrowLeft');
  t.equal(shown(), '[1] 2 3 4');
  t.same(
    context.focused,
    ['a/2', 'a/4', 'a/4', 'a/1', 'a/1'].map(id => `thumb-${id}`),
  );
  t.same(context.said, []);
});

t.test('strip keys: right to left, the left arrow goes on', async t => {
  const { press, shown } = dialog(3, wordsOf('ar', en));
  press('ArrowLeft');
  t.equal(shown(), '1 [2] 3');
  press('Alt+ArrowLeft');
  t.equal(shown(), '1 3 [2]');
  press('ArrowRight');
  t.equal(shown(), '1 [3] 2');
});

t.test('strip keys: Alt moves the page, or all marked ones; the focus goes with it', async t => {
  const { press, shown, context, stack } = dialog(5);
  press('Alt+ArrowRight');
  t.equal(shown(), '2 [1] 3 4 5');
  t.equal(context.said.at(-1), 'Page 1 moved to place 2');
  t.equal(context.focused.at(-1), 'thumb-a/1');
  press('Alt+End');
  t.equal(shown(), '2 3 4 5 [1]');
  const before = context.said.length;
  press('Alt+ArrowRight');
  t.equal(context.said.length, before, 'at its end: nothing moved');
  press('Control+Space');
  press('Shift+ArrowLeft');
  t.equal(shown(), '2 3 4 [5*] 1*');
  press('Alt+ArrowLeft');
  t.equal(shown(), '2 3 [5*] 1* 4');
  t.equal(context.said.at(-1), '2 pages moved to place 3');
  press('Home');
  press('Alt+End');
  t.equal(shown(), '3 5* 1* 4 [2]', 'another page than the marked ones moves alone');
  for (let steps = 0; steps < 4; steps++) stack.undo();
  t.equal(stack.canUndo, false);
});

t.test('strip keys: Delete removes the page or the marked ones; the one in its place gets the focus', async t => {
  const { press, shown, context } = dialog(6);
  press('ArrowRight');
  press('Delete');
  t.equal(shown(), '1 [3] 4 5 6');
  t.equal(context.said.at(-1), 'Page 2 removed');
  t.equal(context.focused.at(-1), 'thumb-a/3');
  press('Shift+ArrowRight');
  t.equal(context.said.at(-1), '2 pages marked');
  press('Backspace');
  t.equal(shown(), '1 [5] 6');
  t.equal(context.said.at(-1), '2 pages removed');
  press('End');
  press('Delete');
  t.equal(shown(), '1 [5]');
  t.equal(context.focused.at(-1), 'thumb-a/5');
  press('Control+a');
  press('Delete');
  t.equal(shown(), '');
});

t.test('strip keys: R turns right, Shift+R left, also all marked ones', async t => {
  const { press, stack, context } = dialog(3);
  const turns = (): readonly number[] => stack.all.map(stack.turnOf);
  press('r');
  t.same(turns(), [90, 0, 0]);
  t.equal(context.said.at(-1), 'Page 1 turned right');
  press('Shift+R');
  press('Shift+R');
  t.same(turns(), [270, 0, 0]);
  press('Control+a');
  press('r');
  t.same(turns(), [0, 90, 90]);
  t.equal(context.said.at(-1), '3 pages turned right');
});

t.test('strip keys: marks', async t => {
  const { press, shown, context } = dialog(4);
  press('Meta+Space');
  t.equal(shown(), '[1*] 2 3 4');
  press('Control+Space');
  t.equal(context.said.at(-1), 'No page marked');
  press('Shift+End');
  t.equal(shown(), '1* 2* 3* [4*]');
  press('Escape');
  t.equal(shown(), '1 2 3 [4]');
  t.equal(press('Escape'), false, 'somebody else’s: nothing is marked');
});

t.test('strip keys: every other key stays the browser’s', async t => {
  const { press, shown } = dialog(3);
  for (const keys of [
    'Enter',
    'Space',
    'Tab',
    'Control+r',
    'Meta+R',
    'Alt+Delete',
    'Control+ArrowRight',
    'Control+z',
    'ArrowDown',
    'x',
  ])
    t.equal(press(keys), false, keys);
  t.equal(shown(), '[1] 2 3');
});

t.test('strip keys: every key acts on the marked pages only if the focus is on one of them', async t => {
  const { press, shown, stack } = dialog(5);
  for (const key of ['Shift+ArrowRight', 'End']) press(key);
  t.equal(shown(), '1* 2* 3 4 [5]');
  press('r');
  t.same(stack.all.map(stack.turnOf), [0, 0, 0, 0, 90]);
  press('Delete');
  t.equal(shown(), '1* 2* 3 [4]', 'the marked ones, which have not the focus, stay');
  press('Home');
  press('Delete');
  t.equal(shown(), '[3] 4');
});

t.test('strip keys: of marked pages, one is unmarked: what is selected is one of the others', async t => {
  const { press, shown } = dialog(4);
  press('Shift+End');
  press('ArrowLeft');
  t.equal(shown(), '1* 2* [3*] 4*');
  press('Control+Space');
  t.equal(shown(), '1* [2*] 3 4*');
});
