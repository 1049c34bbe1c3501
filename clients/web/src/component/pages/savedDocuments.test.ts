/** Documents that were saved, and the browser's storage. */
import t from 'tap';
import { createSavedDocuments, pagesIn } from './savedDocuments.js';
import { fakeContext } from './sheets.test.kit.js';

const layout = (...order: string[]) => ({ order, turns: {} });
const of = (name: string, ...order: string[]) => ({ name, bytes: 1, layout: layout(...order) });

t.test('saved documents: a document is saved while it looks as it did then', async t => {
  const documents = createSavedDocuments(fakeContext().memory);
  const one = of('one.pdf', 'a/1', 'b/1');
  documents.add(one);
  t.same(documents.as(layout('a/1', 'b/1')), one);
  t.equal(documents.as(layout('b/1', 'a/1')), undefined, 'another order');
  t.equal(documents.as({ ...layout('a/1', 'b/1'), turns: { 'a/1': 90 } }), undefined, 'turned');
  t.equal(documents.as(layout('a/1', 'b/1', 'b/2')), undefined, 'a page more');
  t.equal(documents.as(layout()), undefined);
  t.equal(pagesIn(one, 'a'), 1);
});

t.test(
  'saved documents: saved again, a document takes its own place; one whose scans are gone is forgotten',
  async t => {
    const { memory } = fakeContext();
    const [documents, otherTab] = [createSavedDocuments(memory), createSavedDocuments(memory)];
    documents.add(of('one.pdf', 'a/1', 'b/1'));
    otherTab.add(of('two.pdf', 'c/1'));
    documents.add(of('again.pdf', 'b/1'));
    const names = (): string[] => documents.all.map(({ name }) => name);
    t.same(names(), ['two.pdf', 'again.pdf']);
    documents.keep(new Set(['b']));
    t.same(names(), ['again.pdf']);
    t.same(createSavedDocuments(memory).all, documents.all, 'at the next visit');
  },
);
