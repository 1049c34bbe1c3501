/** Long documents: 10,000 pages, and page trees of sizes around their limits. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { keepsOrder, writesManyPages } from './manyPages.test.kit.js';

void t.test('10,000 pages: a balanced tree of three levels, and memory that does not grow', async t => {
  if (['qpdf', 'pdfinfo'].every(tool => needs(t, tool))) await writesManyPages(t, 10_000);
});

void t.test('page tree: any number of pages, in order', async t => {
  if (['qpdf', 'pdfinfo'].every(tool => needs(t, tool))) await keepsOrder(t, [2, 128, 4096, 4097]);
});
