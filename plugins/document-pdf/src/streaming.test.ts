/** Writing as a stream: page by page, whole or not at all, the same bytes each time, with little memory. */
import { needs, testPage } from '@platen/conformance';
import { codeOf, ScanError, type DocumentPage } from '@platen/core/plugin';
import t from 'tap';
import { keepsOrder, writesManyPages } from './manyPages.test.kit.js';
import plugin from './plugin.js';
import { createdAt, each, format, jpegFile, pageOf, pdfOf } from './pages.test.kit.js';

const options = { createdAt, barcodes: false };
const call = (signal = new AbortController().signal) => ({ signal });

const somePages = async (count: number): Promise<DocumentPage[]> => {
  const file = await jpegFile(testPage({ width: 300, height: 200 }));
  return Promise.all(Array.from({ length: count }, (_, i) => pageOf(file, { pageNumber: i + 1 })));
};

void t.test('write: a page is written before the next one is requested', async t => {
  const pages = await somePages(4);
  const seen: Buffer[] = [];
  const written: number[] = [];
  async function* counted(): AsyncGenerator<DocumentPage, void> {
    for (const page of pages) {
      const text = Buffer.concat(seen).toString('latin1');
      written.push((text.match(/\/Type \/Page /g) ?? []).length);
      yield page;
    }
  }
  for await (const chunk of format.write(counted(), options, call())) seen.push(Buffer.from(chunk));
  t.strictSame(written, [0, 1, 2, 3]);
});

void t.test('write: nothing is read before the first chunk is requested', async t => {
  let requested = 0;
  async function* watched(): AsyncGenerator<DocumentPage, void> {
    requested++;
    yield* await somePages(1);
  }
  const chunks = format.write(watched(), options, call())[Symbol.asyncIterator]();
  t.equal(requested, 0);
  await chunks.next();
  t.equal(requested, 1);
  await chunks.return?.();
});

/** What was written before it failed, and the failure. */
async function torn(
  pages: AsyncIterable<DocumentPage>,
  signal?: AbortSignal,
): Promise<{ text: string; error: unknown }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of format.write(pages, options, call(signal))) chunks.push(Buffer.from(chunk));
  } catch (error) {
    return { text: Buffer.concat(chunks).toString('latin1'), error };
  }
  throw new Error('it did not fail');
}

void t.test('write: a failure ends it without a trailer', async t => {
  const [first, second] = await somePages(2);
  const jam = new ScanError('paper-jam', 'jam');
  async function* jammed(): AsyncGenerator<DocumentPage, void> {
    yield first!;
    throw jam;
  }
  const unreadable: DocumentPage = {
    ...second!,
    async *read() {
      yield* (async function* () {
        for await (const slice of second!.read()) {
          yield slice;
          break;
        }
      })();
      throw new ScanError('storage-failed', 'gone');
    },
  };
  const undecodable = await pageOf(Buffer.alloc(1), {
    raw: testPage({ pixels: 'bw1' }),
    pixels: async () => {
      throw new ScanError('unsupported', 'no such format');
    },
  });
  const failures = {
    'paper-jam': jammed(),
    'storage-failed': each([first!, unreadable]),
    unsupported: each([first!, { ...undecodable, pageNumber: 2 }]),
  };
  for (const [code, pages] of Object.entries(failures)) {
    const { text, error } = await torn(pages);
    t.equal(codeOf(error), code);
    t.match(text, /\/Type \/Page /, 'the first page was written');
    t.notMatch(text, /startxref|%%EOF|\/Type \/Catalog/);
  }
  const early = await torn(each([{ ...undecodable }]));
  t.equal(early.text, '', 'a first page that fails leaves nothing at all');
});

void t.test('write: no pages, an error', async t => {
  const { text } = await torn(each([]));
  t.equal(text, '');
});

void t.test('write: abandoned, throws the reason and ends the pages', async t => {
  const pages = await somePages(3);
  const reason = new Error('no longer wanted');
  for (const when of ['before', 'between chunks', 'while a page comes', 'while it is decoded']) {
    const controller = new AbortController();
    let isEnded = false;
    async function* watched(): AsyncGenerator<DocumentPage, void> {
      try {
        yield pages[0]!;
        if (when === 'while a page comes') controller.abort(reason);
        const pixels = async () => {
          controller.abort(reason);
          return testPage({ pixels: 'bw1', width: 300, height: 200 });
        };
        yield when === 'while it is decoded' ? { ...pages[1]!, mimeType: 'image/bmp', pixels } : pages[1]!;
        yield pages[2]!;
      } finally {
        isEnded = true;
      }
    }
    if (when === 'before') controller.abort(reason);
    const chunks: Buffer[] = [];
    const writing = (async () => {
      for await (const chunk of format.write(watched(), options, call(controller.signal))) {
        chunks.push(Buffer.from(chunk));
        if (when === 'between chunks' && chunks.length === 3) controller.abort(reason);
      }
    })();
    await t.rejects(writing, reason, when);
    t.equal(isEnded, when !== 'before', `${when}: the pages are ended`);
    t.notMatch(Buffer.concat(chunks).toString('latin1'), /startxref/);
    if (when === 'before') t.equal(chunks.length, 0);
    if (when === 'between chunks') t.equal(chunks.length, 3, 'no chunk after it');
  }
});

void t.test('write: the consumer leaves, the pages and the file are closed', async t => {
  for (const after of [1, 2, 3, 5]) {
    const [page] = await somePages(1);
    let [isEnded, reading] = [false, 0];
    const watchedPage: DocumentPage = {
      ...page!,
      async *read() {
        reading++;
        try {
          yield* page!.read();
        } finally {
          reading--;
        }
      },
    };
    async function* watched(): AsyncGenerator<DocumentPage, void> {
      try {
        for (let pageNumber = 1; ; pageNumber++) yield { ...watchedPage, pageNumber };
      } finally {
        isEnded = true;
      }
    }
    let seen = 0;
    for await (const _ of format.write(watched(), options, call())) if (++seen === after) break;
    t.strictSame([isEnded, reading], [true, 0], `after ${after} chunks`);
  }
});

void t.test('write: the same input, the same bytes', async t => {
  const pages = async (): Promise<DocumentPage[]> => [
    ...(await somePages(3)),
    await pageOf(Buffer.alloc(1), { raw: testPage({ pixels: 'bw1' }), pageNumber: 4 }),
    await pageOf(Buffer.alloc(1), { raw: testPage(), pageNumber: 5 }),
  ];
  const [first, second] = [await pdfOf(await pages(), { title: 'T' }), await pdfOf(await pages(), { title: 'T' })];
  t.ok(first.equals(second));
  const id = (pdf: Buffer): string => /\/ID \[<(\w+)>/.exec(pdf.toString('latin1'))![1]!;
  t.not(id(await pdfOf(await pages(), { title: 'U' })), id(first), 'other documents have another ID');
  t.not(id(await pdfOf(await pages(), { title: 'T', createdAt: createdAt + 1000 })), id(first));
});

void t.test('4,100 pages: a balanced tree of three levels, and memory that does not grow', async t => {
  if (['qpdf', 'pdfinfo'].every(tool => needs(t, tool))) await writesManyPages(t, 4100);
});

void t.test('page tree: any number of pages, in order', async t => {
  if (['qpdf', 'pdfinfo'].every(tool => needs(t, tool))) await keepsOrder(t, [1, 63, 64, 65, 129]);
});

void t.test('plugin: contributes the format, and ends its threads', async t => {
  const { documents, close } = await plugin.setup({
    options: {},
    log: { debug() {}, info() {}, warn() {}, error() {} },
    dataDir: '/',
  });
  t.strictSame(
    documents?.map(({ name, mimeType, extension }) => [name, mimeType, extension]),
    [['Pdf', 'application/pdf', 'pdf']],
  );
  const bits = await pageOf(Buffer.alloc(1), { raw: testPage({ pixels: 'bw1' }) });
  const write = async (): Promise<void> => {
    for await (const _ of documents![0]!.write(each([bits]), options, call()));
  };
  await write();
  await close?.();
  await t.rejects(write(), Error);
});
