/** Searchable documents of pages whose text was not read: it is read while the document is written. */
import { fakeFormat, fakeRecogniser, fakeWords, testPage } from '@platen/conformance';
import t from 'tap';
import type { Format } from '../contract/format.js';
import type { OcrRecogniser, ReadText } from '../contract/recogniser.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { ScanNote } from '../pipeline/notes.js';
import { deferred } from '../time/wait.js';
import { createSemaphore } from '../work/semaphore.js';
import { pagesOfScans, type PagesOfScan } from './documentPages.js';
import { endedScan, listing, runningScan, sourceOf, storedPage, word } from './documents.test.kit.js';
import { writeDocument, type DocumentParts } from './writeDocument.js';

/** A page whose pixels say its number, by their width. */
const stored = (pageNumber: number) => storedPage({ pageNumber, data: Uint8Array.of(pageNumber) });
const png: Format = {
  ...fakeFormat({ name: 'Png', mimeType: 'image/png' }),
  decode: async bytes => testPage({ width: bytes[0]!, height: 2 }),
};

/** Finds the word `page` and the number. */
const sound = (until?: Promise<void>) =>
  fakeRecogniser('ocr', { reads: page => fakeWords(`page ${page.width}`, page), ...(until ? { until } : {}) });

interface Given extends Partial<DocumentParts> {
  readonly ocr?: OcrRecogniser | undefined;
  readonly formats?: readonly Format[];
  readonly signal?: AbortSignal;
}

function write(scan: KeptScan, given: Given = {}, wishes: Pick<PagesOfScan, 'pages'> = {}) {
  const { ocr = sound(), formats = [png], signal = new AbortController().signal, ...more } = given;
  const notes: ScanNote[] = [];
  const parts = {
    software: { formats, ocr: 'ocr' in given ? given.ocr : ocr },
    pool: createSemaphore(2),
    onNote: (note: ScanNote) => void notes.push(note),
    ...more,
  };
  const all = { barcodes: false, searchable: true };
  return { chunks: writeDocument(sourceOf(scan, wishes), listing, all, parts, { signal }), notes };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

t.test('searchable: pages without words, read now; the others, not again', async t => {
  const ocr = sound();
  const scan = endedScan([stored(1), storedPage({ pageNumber: 2, words: [word('stored')] }), stored(3)]);
  const { chunks, notes } = write(scan, { ocr });
  t.equal(await textOf(chunks), '- en 5\n1 0 page+1\n2 0 stored\n3 0 page+3\nend\n');
  t.equal(ocr.reads, 2);
  t.same(notes, []);
});

t.test('searchable: absent or false, nothing is read', async t => {
  const ocr = sound();
  for (const wishes of [{ searchable: false }, {}]) {
    const all = { barcodes: false, ...wishes };
    const parts = { software: { formats: [png], ocr }, pool: createSemaphore(1) };
    const { signal } = new AbortController();
    t.match(await textOf(writeDocument(sourceOf(endedScan([stored(1)])), listing, all, parts, { signal })), '1 0 \n');
  }
  t.equal(ocr.reads, 0);
});

t.test('searchable: no plugin reads text, invalid-value before the first chunk', async t => {
  const { chunks } = write(endedScan([stored(1)]), { ocr: undefined });
  await t.rejects(chunks.next(), { code: 'invalid-value', field: 'searchable' });
});

t.test('searchable: as many pages at once as the pool has places, in order whichever is first', async t => {
  const gates = new Map([1, 2, 3, 4, 5, 6].map(number => [number, deferred<void>()]));
  const begun: number[] = [];
  const started = new Map([...gates.keys()].map(number => [number, deferred<void>()]));
  let [now, most] = [0, 0];
  const ocr: OcrRecogniser = {
    kind: 'ocr',
    languages: ['eng'],
    async read(page): Promise<ReadText> {
      begun.push(page.width);
      most = Math.max(most, ++now);
      started.get(page.width)!.resolve();
      await gates.get(page.width)!.promise;
      now--;
      return fakeWords(String(page.width), page);
    },
  };
  const { chunks } = write(endedScan([...gates.keys()].map(stored)), { ocr });
  const text = textOf(chunks);
  await Promise.all([started.get(1)!.promise, started.get(2)!.promise]);
  // The second page is finished before the first one.
  gates.get(2)!.resolve();
  await started.get(3)!.promise;
  t.same(begun, [1, 2, 3]);
  for (const { resolve } of gates.values()) resolve();
  t.equal(await text, '- en 5\n1 0 1\n2 0 2\n3 0 3\n4 0 4\n5 0 5\n6 0 6\nend\n');
  t.equal(most, 2);
});

t.test('searchable: no further ahead of the document than the pool has places', async t => {
  const ocr = sound();
  const { chunks } = write(endedScan([1, 2, 3, 4, 5, 6, 7, 8].map(stored)), { ocr });
  await chunks.next();
  await chunks.next();
  await new Promise(resolve => setImmediate(resolve));
  t.ok(ocr.reads <= 4, `${ocr.reads} pages were read for the first one`);
  await chunks.return();
});

t.test('searchable: a page that cannot be read or decoded, a whole document and a note', async t => {
  const sometimes: OcrRecogniser = {
    ...sound(),
    async read(page, ...rest) {
      if (page.width === 2) throw new Error('out of ink');
      return sound().read(page, ...rest);
    },
  };
  const { chunks, notes } = write(endedScan([1, 2, 3].map(stored)), { ocr: sometimes });
  t.equal(await textOf(chunks), '- en 5\n1 0 page+1\n2 0 \n3 0 page+3\nend\n');
  t.match(notes, [{ code: 'ocr-failed', text: /page 2.*out of ink/ }]);
  t.equal(notes.length, 1);
  const blind = write(endedScan([stored(1)]), { formats: [] });
  t.equal(await textOf(blind.chunks), '- en 5\n1 0 \nend\n');
  t.match(blind.notes, [{ code: 'ocr-failed' }]);
  const placeless = write(endedScan([stored(1)]), { ocr: fakeRecogniser('ocr') });
  t.equal(await textOf(placeless.chunks), '- en 5\n1 0 \nend\n');
  t.match(placeless.notes, [{ code: 'ocr-failed' }]);
});

t.test('searchable: a damaged page, its error and no end', async t => {
  const failure = Object.assign(new Error('torn'), { code: 'storage-failed' });
  const check = async (): Promise<never> => {
    throw failure;
  };
  const scan = endedScan([stored(1), storedPage({ pageNumber: 2 }, { check }), stored(3)]);
  let text = '';
  await t.rejects(async () => {
    for await (const chunk of write(scan).chunks) text += Buffer.from(chunk).toString();
  }, failure);
  t.equal(text, '- en 5\n1 0 page+1\n');
});

t.test('searchable: a page that occurs several times, read once', async t => {
  const ocr = sound();
  const { chunks } = write(endedScan([stored(1), stored(2)]), { ocr }, { pages: [2, 2, 1, 2] });
  t.equal(await textOf(chunks), '- en 5\n2 0 page+2\n2 0 page+2\n1 0 page+1\n2 0 page+2\nend\n');
  t.equal(ocr.reads, 2);
});

t.test('searchable: pages of several scans with the same number, each with its own text', async t => {
  const scans = [endedScan([storedPage({ pageNumber: 1, data: Uint8Array.of(7) })]), endedScan([stored(1)])] as const;
  const [a, b] = scans.map(scan => ({ scan, stored: scan.pages[0]!, turn: 0 as const }));
  const ocr = sound();
  const parts = { software: { formats: [png], ocr }, pool: createSemaphore(2) };
  const source = pagesOfScans([a!, b!, a!], () => true);
  const { signal } = new AbortController();
  const chunks = writeDocument(source, listing, { barcodes: false, searchable: true }, parts, { signal });
  t.equal(await textOf(chunks), '- en 5\n1 0 page+7\n2 0 page+1\n1 0 page+7\nend\n');
  t.equal(ocr.reads, 2);
});

t.test('searchable: pages come while the scan runs', async t => {
  const { scan, add, end } = runningScan();
  const { chunks } = write(scan);
  add(stored(1));
  t.equal(Buffer.from((await chunks.next()).value ?? []).toString(), '- en 5\n');
  t.equal(Buffer.from((await chunks.next()).value ?? []).toString(), '1 0 page+1\n');
  add(stored(2));
  t.equal(Buffer.from((await chunks.next()).value ?? []).toString(), '2 0 page+2\n');
  end();
  t.equal(await textOf(chunks), 'end\n');
});

t.test('searchable: the signal is aborted, or the document is left: the reading ends', async t => {
  const never = new Promise<void>(() => undefined);
  const controller = new AbortController();
  const reason = new Error('the client has gone');
  const { chunks, notes } = write(endedScan([1, 2, 3].map(stored)), { ocr: sound(never), signal: controller.signal });
  await chunks.next();
  const rejects = t.rejects(chunks.next(), reason);
  controller.abort(reason);
  await rejects;
  t.same(notes, []);

  const { scan } = runningScan([1, 2].map(stored));
  // The second page is never read.
  const ocr: OcrRecogniser = {
    ...sound(),
    read: (page, ...rest) => (page.width === 1 ? sound() : sound(never)).read(page, ...rest),
  };
  const left = write(scan, { ocr });
  await left.chunks.next();
  t.equal(Buffer.from((await left.chunks.next()).value ?? []).toString(), '1 0 page+1\n');
  t.match(await left.chunks.return(), { done: true });
  t.same(left.notes, []);
});
