import t from 'tap';
import { createPageMarks } from './pageMarks.js';
import { fakeContext } from './sheets.test.kit.js';

t.test('marks: set, taken back and counted; another visit has them', async t => {
  const { memory } = fakeContext();
  const marks = createPageMarks(memory);
  t.equal(marks.of('a', 1), undefined);
  marks.set([
    { scan: 'a', number: 1, mark: 'saved' },
    { scan: 'a', number: 2, mark: 'removed' },
    { scan: 'b', number: 1, mark: 'removed' },
  ]);
  t.equal(marks.of('a', 1), 'saved');
  t.equal(marks.of('b', 1), 'removed');
  t.same([marks.count('a'), marks.count('a', 'removed'), marks.count('c')], [2, 1, 0]);
  marks.set([{ scan: 'a', number: 2, mark: undefined }]);
  t.equal(marks.of('a', 2), undefined);
  const next = createPageMarks(memory);
  t.same([next.of('a', 1), next.of('a', 2), next.of('b', 1)], ['saved', undefined, 'removed']);
});

t.test('marks: of two tabs, each with scans of its own, none is lost', async t => {
  const { memory } = fakeContext();
  const [one, two] = [createPageMarks(memory), createPageMarks(memory)];
  one.set([{ scan: 'a', number: 1, mark: 'saved' }]);
  two.set([{ scan: 'b', number: 1, mark: 'removed' }]);
  one.set([{ scan: 'a', number: 2, mark: 'removed' }]);
  const next = createPageMarks(memory);
  t.same([next.count('a'), next.count('b')], [2, 1]);
});

t.test('marks: those of scans that the service no longer has are forgotten', async t => {
  const { memory } = fakeContext();
  const marks = createPageMarks(memory);
  marks.set(['a', 'b'].map(scan => ({ scan, number: 1, mark: 'saved' as const })));
  marks.keep(new Set(['b']));
  t.same([marks.of('a', 1), marks.of('b', 1)], [undefined, 'saved']);
  t.same(memory.recall('pages'), { b: { 1: 'saved' } });
});

t.test('marks: nothing to set is not stored', async t => {
  const { memory } = fakeContext();
  createPageMarks(memory).set([]);
  t.equal(memory.recall('pages'), undefined);
});
