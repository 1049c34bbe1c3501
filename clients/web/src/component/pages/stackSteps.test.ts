import t from 'tap';
import type { Sheet } from './page.js';
import { kept } from './sheets.test.kit.js';
import { createStack, type Stack } from './stack.js';

const shown = (stack: Stack): string => stack.all.map(({ id }) => id).join(' ');

t.test('stack: pages that are gone: no step brings them back, and steps about them alone are gone, too', async t => {
  const stack = createStack(() => undefined);
  const [one, two, three] = [kept('a', 1), kept('a', 2), kept('b', 1)] as const;
  stack.add([one, two, three], 'same');
  stack.turn([three], 90);
  stack.move([two], 1);
  stack.remove([three]);
  stack.turn([one], 180);
  stack.remove([one]);
  stack.undo();
  stack.forget(id => id === three.id);
  t.equal(shown(stack), 'a/2 a/1');
  t.same(
    stack.known.map(({ id }) => id),
    [one.id, two.id],
  );
  stack.undo();
  t.equal(stack.turnOf(one), 0);
  stack.undo();
  t.equal(shown(stack), 'a/1 a/2');
  t.equal(stack.canUndo, false, 'its own turn and removal are no steps');
  for (; stack.canRedo;) stack.redo();
  t.equal(shown(stack), 'a/2');
});

/** Reproducible: a multiplicative generator. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

t.test('stack: random steps: all undone gives the first layout and what arrived, all redone the last one', async t => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed * 7919);
    const stack = createStack(() => undefined);
    stack.add(
      [1, 2, 3, 4, 5, 6].map(number => kept('a', number)),
      'same',
    );
    const arrived: Sheet[] = [];
    const some = (): Sheet[] => stack.all.filter(() => random(3) === 0);
    for (let step = 0; step < 80; step++) {
      const kind = random(7);
      if (kind === 0) stack.remove(some().slice(0, 1));
      else if (kind === 1) stack.turn(some(), ([90, 180, 270] as const)[random(3)]!);
      else if (kind === 2 && step % 4 === 0) {
        const sheet = kept(`s${random(3)}`, 1 + random(9));
        if (!stack.known.some(({ id }) => id === sheet.id)) arrived.push(sheet);
        stack.add([sheet], 'last');
      } else if (kind === 3) stack.undo();
      else if (kind === 4) stack.redo();
      else stack.move(some(), 1 + random(8));
      const ids = stack.all.map(({ id }) => id);
      if (new Set(ids).size !== ids.length) t.fail(`seed ${seed}: a page is there twice: ${ids.join(' ')}`);
      if (stack.all.length > 0 && !stack.all.includes(stack.chosen!)) t.fail(`seed ${seed}: no page is selected`);
    }
    const last = shown(stack);
    let steps = 0;
    for (; stack.canUndo; steps++) stack.undo();
    const ids = stack.all.map(({ id }) => id);
    const first = ids.filter(id => id.startsWith('a/')).join(' ');
    const others = ids.filter(id => !id.startsWith('a/')).sort();
    const turned = stack.all.some(sheet => stack.turnOf(sheet) !== 0);
    if (first !== 'a/1 a/2 a/3 a/4 a/5 a/6' || turned) t.fail(`seed ${seed}: the first layout is ${first}`);
    t.same(others, arrived.map(({ id }) => id).sort(), `seed ${seed}: every arrived page is there`);
    for (; steps > 0; steps--) stack.redo();
    t.equal(shown(stack), last, `seed ${seed}: redone`);
  }
});
