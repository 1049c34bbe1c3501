/** A document of a kept scan: whole, or an error. */
import { fakeFormat, fakeRecogniser, testPage } from '@platen/conformance';
import t from 'tap';
import type { DocumentFormat, Turn } from '../contract/document.js';
import type { Format } from '../contract/format.js';
import type { OcrRecogniser } from '../contract/recogniser.js';
import type { KeptScan } from '../kept/keptScan.js';
import { slices } from '../pipeline/spool.js';
import { createSemaphore } from '../work/semaphore.js';
import type { PagesOfScan } from './documentPages.js';
import { endedScan, listing, runningScan, sourceOf, storedPage, word } from './documents.test.kit.js';
import { writeDocument, type DocumentParts, type DocumentWishes } from './writeDocument.js';

const call = { signal: new AbortController().signal };

interface Given extends Partial<DocumentParts> {
  readonly format?: DocumentFormat;
  readonly formats?: readonly Format[];
  readonly ocr?: OcrRecogniser;
}

function write(
  scan: KeptScan,
  { pages, turns, ...wishes }: Partial<DocumentWishes & PagesOfScan> = {},
  { format = listing, formats = [], ocr, ...more }: Given = {},
): AsyncGenerator<Uint8Array, void> {
  const software = { formats, ocr };
  const parts = { software, pool: createSemaphore(1), ...more };
  const source = sourceOf(scan, { ...(turns ? { turns } : {}), ...(pages ? { pages } : {}) });
  return writeDocument(source, format, { barcodes: false, ...wishes }, parts, call);
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

const three = [1, 2, 3].map(pageNumber => storedPage({ pageNumber, words: [word('a'), word(`b${pageNumber}`)] }));

t.test('document: its pages with their turns and words, its title, its language and when it was scanned', async t => {
  const turns = new Map<number, Turn>([[2, 90]]);
  const ocr = fakeRecogniser('ocr', { languages: ['deu', 'eng'] });
  t.equal(
    await textOf(write(endedScan(three), { turns, title: 'Letter' }, { ocr })),
    'Letter de 5\n1 0 a+b1\n2 90 a+b2\n3 0 a+b3\nend\n',
  );
  t.equal(await textOf(write(endedScan(three), { searchable: false, pages: [3] })), '- - 5\n3 0 \nend\n');
});

t.test('document: languages by their names in Tesseract, BCP 47', async t => {
  for (const [name, tag] of [
    ['eng', 'en'],
    ['deu', 'de'],
    ['chi_sim', 'zh-Hans'],
    ['srp_latn', 'sr-Latn'],
    ['', '-'],
    ['not a language', '-'],
  ] as const) {
    const ocr = fakeRecogniser('ocr', { languages: [name] });
    const [head = ''] = (await textOf(write(endedScan(three), {}, { ocr }))).split('\n');
    t.equal(head, `- ${tag} 5`, name);
  }
});

t.test('document: no page, no-pages before the first chunk', async t => {
  await t.rejects(write(endedScan([])).next(), { code: 'no-pages' });
  const blank = { isBlank: true, ink: 0, why: 'nothing' };
  const dropped = endedScan([storedPage({ pageNumber: 1, blank })], { blankPages: 'drop' });
  await t.rejects(write(dropped).next(), { code: 'no-pages' });
  const { scan, end } = runningScan();
  const first = write(scan).next();
  end('failed', 'no-paper');
  await t.rejects(first, { code: 'no-pages' });
});

t.test('document: chunks come while the scan runs; each page is told when the document has it', async t => {
  const { scan, add, end } = runningScan();
  const told: number[] = [];
  const chunks = write(scan, {}, { onPage: ({ page }) => void told.push(page.pageNumber) });
  const first = chunks.next();
  add(storedPage({ pageNumber: 1 }));
  await first;
  t.equal(Buffer.from((await chunks.next()).value ?? []).toString(), '1 0 \n');
  t.same(told, []);
  const second = chunks.next();
  add(storedPage({ pageNumber: 2 }));
  await second;
  t.same(told, [1]);
  const last = chunks.next();
  end('failed', 'paper-jam');
  t.equal(Buffer.from((await last).value ?? []).toString(), 'end\n');
  t.same(told, [1, 2]);
  t.match(await chunks.next(), { done: true });
});

t.test('document: a page is damaged, or its words are, its error and no end', async t => {
  const failure = Object.assign(new Error('torn'), { code: 'storage-failed' });
  const fails = async (): Promise<never> => {
    throw failure;
  };
  for (const its of [{ check: fails }, { words: fails }]) {
    const scan = endedScan([storedPage({ pageNumber: 1 }), storedPage({ pageNumber: 2 }, its)]);
    let text = '';
    await t.rejects(async () => {
      for await (const chunk of write(scan)) text += Buffer.from(chunk).toString();
    }, failure);
    t.equal(text, '- - 5\n1 0 \n');
  }
});

t.test('document: its format ends early, an error: a document that ends is whole', async t => {
  const format: DocumentFormat = {
    ...listing,
    async *write(pages) {
      for await (const { pageNumber } of pages) {
        yield Buffer.from(`${pageNumber}\n`);
        if (pageNumber === 2) return;
      }
    },
  };
  await t.rejects(textOf(write(endedScan(three), {}, { format })), { code: 'internal' });
  t.equal(await textOf(write(endedScan(three), { pages: [3, 1] }, { format })), '3\n1\n');
});

t.test('document: a file changed its size after it was checked, storage-failed instead of pixels', async t => {
  const format: DocumentFormat = {
    ...listing,
    async *write(pages) {
      for await (const page of pages) yield Buffer.from(String((await page.pixels()).width));
    },
  };
  const image = testPage({ width: 8, height: 4, pixels: 'gray8' });
  const png: Format = { ...fakeFormat({ name: 'Png', mimeType: 'image/png' }), decode: async () => image };
  for (const bytes of [9, 11]) {
    const its = { size: 10, read: (sliceBytes: number) => slices(new Uint8Array(bytes), sliceBytes) };
    const scan = endedScan([storedPage({ pageNumber: 1 }, its)]);
    await t.rejects(textOf(write(scan, {}, { format, formats: [png] })), { code: 'storage-failed' }, String(bytes));
  }
});

t.test('document: left in the middle, its pages end and the scan goes on', async t => {
  const { scan } = runningScan([storedPage({ pageNumber: 1 }), storedPage({ pageNumber: 2 })]);
  const chunks = write(scan);
  await chunks.next();
  await chunks.next();
  t.match(await chunks.return(), { done: true });
  t.match(await chunks.next(), { done: true });
});

t.test('document: pixels, decoded by the format of the page; without one, unsupported', async t => {
  const image = testPage({ width: 8, height: 4, pixels: 'gray8' });
  const format: DocumentFormat = {
    ...listing,
    async *write(pages) {
      for await (const page of pages) {
        const { kind, width, height, pixels, dpi, sheet, side } = await page.pixels();
        yield Buffer.from(JSON.stringify([kind, width, height, pixels, dpi, sheet, side]));
      }
    },
  };
  const png: Format = { ...fakeFormat({ name: 'Png', mimeType: 'image/png' }), decode: async () => image };
  const scan = endedScan([storedPage({ pageNumber: 4, side: 'back' })]);
  t.equal(await textOf(write(scan, {}, { format, formats: [png] })), '["raw",8,4,"gray8",100,4,"back"]');
  const { decode: _, ...blind } = png;
  for (const formats of [[], [blind]])
    await t.rejects(textOf(write(scan, {}, { format, formats })), { code: 'unsupported' });
});
