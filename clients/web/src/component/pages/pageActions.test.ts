/** Where pages move by one place. */
import t from 'tap';
import { placeBeside, targetsOf } from './pageActions.js';
import { kept } from './sheets.test.kit.js';
import { createStack } from './stack.js';

t.test('page actions: one place earlier or later, and none at an end', async t => {
  const stack = createStack(() => undefined);
  const [one, two, three, four] = [1, 2, 3, 4].map(number => kept('a', number));
  stack.add([one!, two!, three!, four!], 'same');
  t.equal(placeBeside(stack, [one!], -1), undefined);
  t.equal(placeBeside(stack, [one!], 1), 2);
  t.equal(placeBeside(stack, [four!], 1), undefined);
  t.equal(placeBeside(stack, [three!, four!], 1), undefined);
  t.equal(placeBeside(stack, [one!, three!], -1), 1, 'the others come to the first one');
  t.equal(placeBeside(stack, [two!], Infinity), 4);
  stack.mark(one!, 'toggle');
  stack.mark(three!, 'toggle');
  t.same(targetsOf(stack, three!), [one, three]);
  t.same(targetsOf(stack, two!), [two]);
});
