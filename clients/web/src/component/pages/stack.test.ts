import t from 'tap';
import type { Sheet } from './page.js';
import { kept } from './sheets.test.kit.js';
import { createStack, type Stack } from './stack.js';
import { sheetId } from './layout.js';
import type { History } from './undoHistory.js';

const sheets = (scan: string, ...numbers: number[]): Sheet[] => numbers.map(number => kept(scan, number));
const idsOf = (some: readonly Sheet[]): string => some.map(({ id }) => id).join(' ');
const shown = (stack: Stack): string => idsOf(stack.all);
const stackOf = (...added: Sheet[]): Stack => {
  const stack = createStack(() => undefined);
  stack.add(added, 'same');
  return stack;
};
const at = (stack: Stack, number: number): Sheet => {
  const sheet = stack.all[number - 1];
  if (!sheet) throw new Error(`There is no page ${number}.`);
  return sheet;
};

t.test('stack: a page goes behind the earlier pages of its scan, and is added once', async t => {
  const stack = stackOf(...sheets('a', 1, 3), ...sheets('b', 1));
  stack.add(sheets('a', 2, 3, 4), 'same');
  t.equal(shown(stack), 'a/1 a/2 a/3 a/4 b/1');
  stack.add(sheets('c', 5), 'same');
  stack.add(sheets('c', 2), 'same');
  t.equal(shown(stack), 'a/1 a/2 a/3 a/4 b/1 c/2 c/5');
  t.equal(stack.canUndo, false, 'an arrival is not a step');
  const [first, last] = [at(stack, 1), at(stack, 7)];
  t.equal(stack.numberOf(last), 7);
  t.equal(stack.numberOf(kept('z', 1)), 0);
  t.equal(stack.beside(first, 1)?.id, 'a/2');
  t.equal(stack.beside(first, -1), undefined);
  t.equal(stack.beside(last, 1), undefined);
});

t.test('stack: which page is selected when pages arrive', async t => {
  const stack = stackOf(...sheets('a', 1, 2));
  t.equal(stack.chosen?.id, 'a/1', 'the first one ever');
  stack.add(sheets('a', 3), 'last');
  t.equal(stack.chosen?.id, 'a/1', 'the person looks at an earlier page');
  stack.choose(at(stack, 3));
  stack.add(sheets('a', 4), 'last');
  t.equal(stack.chosen?.id, 'a/4');
  stack.add(sheets('a', 5), 'same');
  t.equal(stack.chosen?.id, 'a/4');
  stack.add(sheets('b', 1, 2), 'first');
  t.equal(stack.chosen?.id, 'b/1');
});

t.test('stack: move', async t => {
  const stack = stackOf(...sheets('a', 1, 2, 3, 4, 5));
  const [one, two, , four] = stack.all as [Sheet, Sheet, Sheet, Sheet];
  stack.move([one], 3);
  t.equal(shown(stack), 'a/2 a/3 a/1 a/4 a/5');
  stack.move([four, two], 2);
  t.equal(shown(stack), 'a/3 a/2 a/4 a/1 a/5', 'several stay in their order');
  stack.move([one], 99);
  t.equal(shown(stack), 'a/3 a/2 a/4 a/5 a/1');
  stack.move([one], -3);
  t.equal(shown(stack), 'a/1 a/3 a/2 a/4 a/5');
  stack.move([one], 1);
  for (let steps = 0; steps < 4; steps++) stack.undo();
  t.equal(shown(stack), 'a/1 a/2 a/3 a/4 a/5', 'a move to the same place was no step');
  t.equal(stack.canUndo, false);
});

t.test('stack: turn, and undo of one turn', async t => {
  const stack = stackOf(...sheets('a', 1, 2));
  const [one, two] = stack.all as [Sheet, Sheet];
  stack.turn([one, two], 270);
  stack.turn([one], 180);
  t.same([stack.turnOf(one), stack.turnOf(two)], [90, 270]);
  stack.undo();
  t.same([stack.turnOf(one), stack.turnOf(two)], [270, 270]);
  stack.turn([one], 90);
  t.equal(stack.turnOf(one), 0);
  stack.remove([one]);
  const { before } = stack.history;
  stack.turn([one], 90);
  stack.remove([one]);
  t.same(stack.history.before, before, 'what is not in the stack is no step');
});

t.test('stack: remove selects what takes its place, or else the last; undo and redo', async t => {
  const stack = stackOf(...sheets('a', 1, 2, 3, 4));
  stack.choose(at(stack, 2));
  stack.remove([at(stack, 2), at(stack, 3)]);
  t.equal(stack.chosen?.id, 'a/4');
  stack.remove([at(stack, 2)]);
  t.equal(stack.chosen?.id, 'a/1');
  stack.remove(stack.all);
  t.equal(stack.chosen, undefined);
  t.equal(stack.known.length, 4);
  stack.add(sheets('b', 1), 'first');
  stack.undo();
  t.equal(shown(stack), 'a/1 b/1', 'Remove all is undone after another scan, too');
  stack.undo();
  stack.undo();
  t.equal(shown(stack), 'a/1 a/2 a/3 a/4 b/1');
  t.equal(stack.canUndo, false);
  stack.undo();
  stack.redo();
  t.equal(shown(stack), 'a/1 a/4 b/1');
  stack.turn([at(stack, 1)], 90);
  t.equal(stack.canRedo, false, 'another step ends redo');
  stack.redo();
  t.equal(shown(stack), 'a/1 a/4 b/1');
});

t.test('stack: a page that arrives is in every layout', async t => {
  const stack = stackOf(...sheets('a', 1, 2));
  stack.move([at(stack, 1)], 2);
  stack.remove([at(stack, 2)]);
  stack.undo();
  stack.add(sheets('a', 3), 'same');
  t.equal(shown(stack), 'a/2 a/1 a/3');
  stack.redo();
  t.equal(shown(stack), 'a/2 a/3');
  stack.undo();
  stack.undo();
  t.equal(shown(stack), 'a/1 a/2 a/3');
});

t.test('stack: replace', async t => {
  const stack = stackOf(...sheets('a', 1, 2, 3));
  const two = at(stack, 2);
  stack.replace(two, sheets('b', 1, 2));
  t.equal(shown(stack), 'a/1 b/1 b/2 a/3');
  t.equal(stack.chosen?.id, 'b/1');
  stack.undo();
  t.equal(shown(stack), 'a/1 a/2 a/3');
  stack.redo();
  t.equal(shown(stack), 'a/1 b/1 b/2 a/3');
  stack.replace(two, sheets('c', 1));
  t.equal(shown(stack), 'a/1 b/1 b/2 a/3 c/1', 'the old page is not in the stack: nothing is lost');
  stack.replace(at(stack, 1), []);
  t.equal(shown(stack), 'a/1 b/1 b/2 a/3 c/1');
});

t.test('stack: marks, in the order of the pages', async t => {
  const stack = stackOf(...sheets('a', 1, 2, 3, 4, 5));
  stack.mark(at(stack, 4), 'toggle');
  stack.mark(at(stack, 2), 'to');
  t.equal(idsOf(stack.marked), 'a/2 a/3 a/4');
  t.equal(stack.chosen?.id, 'a/2');
  stack.mark(at(stack, 3), 'toggle');
  t.equal(idsOf(stack.marked), 'a/2 a/4');
  stack.move([at(stack, 2)], 5);
  t.equal(idsOf(stack.marked), 'a/4 a/2');
  stack.remove(stack.marked);
  t.equal(idsOf(stack.marked), '');
  stack.undo();
  stack.mark(at(stack, 1), 'only');
  t.equal(idsOf(stack.marked), 'a/1');
  stack.markNone();
  t.equal(idsOf(stack.marked), '');
});

t.test('stack: the history, stored and restored: pages take their places as they arrive', async t => {
  const stack = stackOf(...sheets('a', 1, 2, 3));
  stack.move([at(stack, 3)], 1);
  stack.turn([at(stack, 1)], 90);
  stack.remove([at(stack, 2)]);
  stack.undo();
  const stored = JSON.parse(JSON.stringify(stack.history)) as History;
  const again = createStack(() => undefined, stored);
  t.equal(shown(again), '');
  again.add(sheets('a', 2), 'same');
  again.add(sheets('a', 1), 'same');
  t.equal(shown(again), 'a/1 a/2');
  again.move([at(again, 1)], 2);
  again.undo();
  again.add(sheets('a', 3), 'same');
  t.equal(shown(again), 'a/3 a/1 a/2');
  t.equal(again.turnOf(at(again, 1)), 90);
  again.undo();
  again.undo();
  t.equal(shown(again), 'a/1 a/2 a/3');
  const removed = createStack(() => undefined, { ...stored, now: stored.after[0]!, after: [] });
  removed.add(sheets('a', 1, 2, 3), 'same');
  t.equal(shown(removed), 'a/3 a/2', 'a removed page stays removed');
});

t.test('stack: clear forgets everything, and a page of before is new', async t => {
  let changes = 0;
  const stack = createStack(() => void changes++);
  stack.add(sheets('a', 1, 2), 'same');
  stack.mark(at(stack, 1), 'toggle');
  stack.remove([at(stack, 1)]);
  const { history } = stack;
  stack.clear();
  t.equal(changes, 4);
  t.same([stack.all, stack.known, stack.marked, stack.chosen, stack.canUndo], [[], [], [], undefined, false]);
  t.not(stack.history.before.length, history.before.length);
  stack.add(sheets('a', 1), 'same');
  t.equal(shown(stack), 'a/1');
});

t.test('stack: only the last 200 steps can be undone, of any kind', async t => {
  const stack = stackOf(...sheets('a', 1));
  for (let step = 0; step < 210; step++) stack.turn(stack.all, 90);
  let steps = 0;
  for (; stack.canUndo; steps++) stack.undo();
  t.equal(steps, 200);
  t.equal(stack.turnOf(at(stack, 1)), 180);
  t.equal(sheetId('a', 1), 'a/1');
});

t.test(
  'stack: pages that are expected take their places and turns behind those that are shown; no undo loses them',
  async t => {
    const stack = createStack(() => undefined);
    stack.add([kept('a', 1), kept('a', 2)], 'first');
    stack.remove([stack.all[1]!]);
    stack.expect({ order: ['b/2', 'b/1'], turns: { 'b/1': 90 } });
    t.same(stack.layout.order, ['a/1']);
    stack.add([kept('b', 1), kept('b', 2)], 'same');
    t.same(stack.layout, { order: ['a/1', 'b/2', 'b/1'], turns: { 'b/1': 90 } });
    stack.undo();
    t.same(stack.layout, { order: ['a/1', 'a/2', 'b/2', 'b/1'], turns: { 'b/1': 90 } });
  },
);
