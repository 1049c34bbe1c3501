/** What the soak says of figures: 5 % more are held, 6 % are not, and one file is too many where there was none. */
import t from 'tap';
import { leastOf, missed as missedOf, type Held } from './measures.js';

const before: Held = {
  memory: 300e6,
  helperMemory: 100e6,
  heap: 40e6,
  descriptors: 60,
  helperDescriptors: 26,
  handles: 14,
  threads: 30,
  processes: 3,
  files: 0,
};

const missed = (after: Partial<Held>): string[] => missedOf(before, { ...before, ...after });

t.test('judge: the same, and 5 % more, are held', async t => {
  t.same(missed({}), []);
  t.same(missed({ memory: 315e6, heap: 42e6, descriptors: 63 }), []);
});

t.test('judge: more than 5 % more is missed, each measure by itself', async t => {
  for (const [name, after] of Object.entries({
    memory: 316e6,
    helperMemory: 106e6,
    heap: 43e6,
    descriptors: 64,
    helperDescriptors: 28,
    handles: 15,
    threads: 32,
    processes: 4,
    files: 1,
  }))
    t.equal(missed({ [name]: after }).length, 1, name);
});

t.test('judge: less memory is held; descriptors that are gone are not', async t => {
  t.same(missed({ memory: 200e6, heap: 10e6 }), []);
  t.equal(missed({ descriptors: 50 }).length, 1);
});

t.test('leastOf: what is there at one look only is not held', async t => {
  t.same(leastOf([{ ...before, files: 2 }, { ...before, descriptors: 70 }, before]), before);
});
