/** The documents of a scan that fails, of pages that cannot be had, and of a disk that is full. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageFacts } from '@platen/client';
import { deferred, ScanError, systemClock } from '@platen/core';
import t, { type Test } from 'tap';
import { NoReply } from '../../machine/ask.js';
import type { DocumentAsk } from './documentAsk.js';
import { createDocumentWriter, type DocumentRun, type DocumentWriterParts } from './documents.js';
import { outFiles } from './outFiles.js';
import type { SeparateDocument } from './scanRun.js';

interface Told extends Partial<Pick<DocumentWriterParts, 'ask' | 'isSeparate' | 'dropsBlank' | 'json' | 'files'>> {
  readonly pages: number;
  /** Numbers of blank pages. */
  readonly blank?: readonly number[];
  /** Whether the scan is accepted. */
  readonly isRefused?: boolean;
  readonly failure?: ScanError;
  /** What each request for a document throws, one after the other. */
  readonly throws?: readonly (Error | undefined)[];
  readonly documents?: readonly SeparateDocument[];
}

const factsOf = (number: number, isBlank: boolean): PageFacts => ({
  ...{ number, sheet: number, side: 'front', width: 8, height: 9, resolution: 75, bytes: number, sha256: '', url: '' },
  ...{ format: 'Png', mimeType: 'image/png', barcodes: [], ocrText: `text ${number}`, report: [] },
  ...(isBlank ? { blank: { isBlank, ink: 0, why: 'white' } } : {}),
});

/** Writes the documents of a scan that goes as told, into a folder of its own. */
async function writing(t: Test, told: Told) {
  const { pages, blank = [], failure, throws = [], documents = [], isRefused = false, ...parts } = told;
  const dir = t.testdir({});
  const [out, err, asked, ends]: [string[], string[], DocumentAsk[], ScanError[]] = [[], [], [], []];
  let released = 0;
  const writer = createDocumentWriter({
    files: outFiles('letter.pdf', { cwd: dir, force: false }),
    io: { out: line => void out.push(line), err: line => void err.push(line) },
    clock: systemClock,
    ask: { format: 'pdf' },
    isSeparate: false,
    dropsBlank: false,
    json: false,
    ...parts,
  });
  const over = deferred<ScanError | undefined>();
  let isScanned = false;
  const scan = (): void => {
    if (isScanned) return;
    isScanned = true;
    for (let number = 1; number <= pages; number += 1) writer.see(factsOf(number, blank.includes(number)));
    over.resolve(failure);
  };
  const run: DocumentRun = {
    started: Promise.resolve(!isRefused),
    over: over.promise,
    async end(reason) {
      ends.push(reason);
    },
    async *document(ask) {
      const error = throws[asked.push(ask) - 1];
      yield Buffer.from(`document ${ask.pages ?? 'all'} `);
      scan();
      if (error) throw error;
      yield Buffer.from('end');
    },
    async documents() {
      return documents;
    },
    async release() {
      released += 1;
    },
    leftOver: ask => `LEFT ${ask.pages ?? 'all'}`,
  };
  if (isRefused || parts.isSeparate) scan();
  const problem = await writer.write(run).then(
    () => undefined,
    (error: unknown) => error as ScanError,
  );
  const files = Object.fromEntries(
    await Promise.all((await readdir(dir)).sort().map(async name => [name, await readFile(join(dir, name), 'utf8')])),
  ) as Record<string, string>;
  return { problem, out, err, asked, ends, files, released };
}

t.test('documents: one, its name once with the text of its pages, and the scan goes', async t => {
  const { problem, out, err, files, released } = await writing(t, { pages: 2, blank: [2], dropsBlank: true });
  t.equal(problem, undefined);
  t.same(files, { 'letter.pdf': 'document all end' });
  t.same(out, ['letter.pdf', '  text 1'], 'without the page that it does not have');
  t.match(err, [/^page 1 .* ms$/, /^page 2 .* ms {2}blank$/, /^Success: 2 pages/]);
  t.equal(released, 1);
});

t.test('documents: as JSON, with the facts of its pages', async t => {
  const { out } = await writing(t, { pages: 2, json: true });
  t.equal(out.length, 1);
  const pages = [{ pageNumber: 1, sheet: 1, side: 'front', fileSizeBytes: 1, ocrText: 'text 1' }, { pageNumber: 2 }];
  t.match(JSON.parse(out[0] ?? ''), { file: 'letter.pdf', format: 'pdf', fileSizeBytes: 16, pages });
});

t.test('documents: a jam, the pages before it are the document, and the jam is the error', async t => {
  const failure = new ScanError('paper-jam', 'Sheet 3 jammed.');
  const { problem, files, released, err } = await writing(t, { pages: 2, failure });
  t.equal(problem, failure);
  t.same(Object.keys(files), ['letter.pdf']);
  t.match(err.at(-1), /^PaperJam: 2 pages/);
  t.equal(released, 1);
});

t.test('documents: nothing was scanned, no file and no word about one', async t => {
  const failure = new ScanError('no-paper', 'The feeder is empty.');
  const noPages = new ScanError('no-pages', 'No page.');
  const { problem, files, out, released } = await writing(t, { pages: 0, failure, throws: [noPages] });
  t.equal(problem, failure);
  t.same([files, out], [{}, []]);
  t.equal(released, 1);
});

t.test('documents: the scan was refused, nothing is asked for', async t => {
  const failure = new ScanError('device-not-found', 'There is no scanner A.');
  const { problem, asked, released, err } = await writing(t, { pages: 0, isRefused: true, failure });
  t.equal(problem, failure);
  t.same([asked, err], [[], []]);
  t.equal(released, 0);
});

t.test('documents: the connection breaks, the document comes again when the scan is over', async t => {
  const ask = { format: 'pdf', rotate: 'all:90,2:180,9:90' };
  const throws = [new NoReply('foreign', 'lost')];
  const { problem, files, asked, err, ends, out } = await writing(t, { pages: 2, ask, throws, json: true });
  t.equal(problem, undefined);
  t.same(files, { 'letter.pdf': 'document all end' });
  t.same(asked, [ask, ask]);
  t.equal(out.length, 1);
  t.match(err.at(-2), /no page 9/);
  t.same(ends, [], 'it does not stop the scan');
});

t.test('documents: the connection does not come back, the pages stay', async t => {
  const lost = new NoReply('refused', 'nothing listens');
  const failure = new ScanError('service-ended', 'The service ended.');
  const both = await writing(t, { pages: 2, failure, throws: [lost, lost] });
  t.match(both.problem, { code: 'service-ended', message: /The service ended\. LEFT all$/ });
  t.same([both.files, both.released, both.out], [{}, 0, []]);
  const alone = await writing(t, { pages: 2, throws: [lost, lost] });
  t.match(alone.problem, { code: 'storage-failed', message: /nothing listens\. LEFT all$/ });
});

t.test('documents: a damaged page, the pages stay', async t => {
  const damage = new ScanError('storage-failed', 'Page 2 is damaged.');
  const { problem, files, released } = await writing(t, { pages: 2, throws: [damage, damage] });
  t.match(problem, { code: 'storage-failed', message: /Page 2 is damaged\. LEFT all$/ });
  t.same([files, released], [{}, 0]);
});

t.test('documents: the disk is full, nothing more is fed and the pages stay', async t => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const files = {
    async stream(_: number, chunks: AsyncIterable<Uint8Array>): Promise<never> {
      for await (const chunk of chunks) if (chunk.length === 3) break;
      throw full;
    },
  };
  const { problem, asked, ends, released, err } = await writing(t, { pages: 2, files });
  t.match(problem, { code: 'storage-failed', message: /ENOSPC.*\. LEFT all$/, cause: full });
  t.equal(asked.length, 1, 'it is not tried again');
  t.match(ends, [{ code: 'storage-failed' }]);
  t.match(err.at(-1), /^StorageFailed: 2 pages/);
  t.equal(released, 0);
});

t.test('documents: all pages are blank, they stay, and can be had', async t => {
  const noPages = new ScanError('no-pages', 'All pages are blank.');
  const { problem, released } = await writing(t, { pages: 3, throws: [noPages, noPages], dropsBlank: true });
  t.match(problem, { code: 'no-pages', message: /LEFT 1-3$/ });
  t.equal(released, 0);
});

const separate = [
  { number: 1, name: 'Document 1', pages: [1, 2, 3, 5] },
  { number: 2, name: 'INV 7', pages: [7] },
];

t.test('documents: several, each with its pages and its name', async t => {
  const { problem, files, out, err, released } = await writing(t, {
    pages: 7,
    isSeparate: true,
    json: true,
    documents: separate,
  });
  t.equal(problem, undefined);
  t.same(files, { 'letter-2.pdf': 'document 7 end', 'letter.pdf': 'document 1-3,5 end' });
  t.match(
    out.map(line => JSON.parse(line) as unknown),
    [
      { file: 'letter.pdf', number: 1, pages: [1, 2, 3, 5].map(pageNumber => ({ pageNumber })) },
      { file: 'letter-2.pdf', number: 2, name: 'INV 7', pages: [{ pageNumber: 7 }] },
    ],
  );
  t.match(err.at(-2), /pages 4,6 /, 'the pages that are in none are named');
  t.equal(released, 1);
});

t.test('documents: the second of several cannot be had, the first is there, the pages stay', async t => {
  const throws = [undefined, new NoReply('foreign', 'lost')];
  const { problem, files, released } = await writing(t, { pages: 7, isSeparate: true, documents: separate, throws });
  t.match(problem, { code: 'storage-failed', message: /LEFT / });
  t.same(Object.keys(files), ['letter.pdf']);
  t.equal(released, 0);
});

t.test('documents: every sheet separates, there is none', async t => {
  const { problem, files, released } = await writing(t, { pages: 2, isSeparate: true });
  t.match(problem, { code: 'no-pages', message: /LEFT 1-2$/ });
  t.same([files, released], [{}, 0]);
});
