/** `GET /api/scans/{id}/documents`, and the parameters that decide what is in a document. */
import type { Blank, Recogniser } from '@platen/core';
import t, { type Test } from 'tap';
import type { Image, Scan, ScanPage } from '../../../shapes/schemas.js';
import { isWhole, documentService, numbersOf, pagesOf } from './document.test.kit.js';
import { A, codeOf } from './scans.test.kit.js';

const blankOf = (isBlank: boolean): Blank => ({ isBlank, ink: isBlank ? 0 : 0.25, why: 'the sheet' });

/** By sheet: those that are blank, that have a barcode, that have a patch code; and whose text cannot be read. */
interface Sheets {
  readonly blank?: readonly number[];
  readonly barcode?: Readonly<Record<number, string>>;
  readonly patch?: Readonly<Record<number, 'T' | '1'>>;
  readonly unreadable?: readonly number[];
}

function recognisersOf({ blank = [], barcode = {}, patch = {}, unreadable = [] }: Sheets): Recogniser[] {
  return [
    { kind: 'blank', read: async ({ sheet }) => blankOf(blank.includes(sheet)) },
    {
      kind: 'barcode',
      read: async ({ sheet }) =>
        barcode[sheet] === undefined ? [] : [{ text: barcode[sheet], barcodeType: 'CODE_128', confidence: 1 }],
    },
    { kind: 'patch', read: async ({ sheet }) => patch[sheet] },
    {
      kind: 'ocr',
      languages: ['eng'],
      async read({ sheet }) {
        if (unreadable.includes(sheet)) throw new Error('no text today');
        const word = { text: `Sheet${sheet}`, confidence: 1, x: 1, y: 2, width: 3, height: 4, line: 1 };
        return { text: word.text, words: [word] };
      },
    },
  ];
}

async function scanned(t: Test, sheets: number, recognised: Sheets, parameters: object) {
  const made = await documentService(t, { sheets }, { recognisers: recognisersOf(recognised) });
  const started = await made.start({}, { parameters });
  if (started.statusCode !== 201) throw new Error(started.body);
  const { id } = started.json<Scan>();
  const scan = await made.ended(id);
  return { ...made, id, scan, get: (what = 'document') => made.call('GET', `/api/scans/${id}/${what}`) };
}

interface Listed {
  readonly count: number;
  readonly documents: readonly { readonly name: string; readonly pages: readonly number[]; readonly url: string }[];
}

t.test('documents: without separate, one of all pages; its url is the document', async t => {
  const { get, id, call } = await scanned(t, 3, {}, {});
  const { statusCode, headers, body } = await get('documents');
  t.equal(statusCode, 200);
  t.equal(headers['cache-control'], 'no-store');
  const url = `/api/scans/${id}/document?pages=1-3`;
  t.same(JSON.parse(body), {
    success: true,
    documents: [{ number: 1, name: 'Document 1', pages: [1, 2, 3], isComplete: true, url }],
    count: 1,
  });
  t.same(numbersOf((await call('GET', url)).body), [1, 2, 3]);
});

t.test('documents: by each separator, its pages are in none unless they are kept', async t => {
  const sheets: Sheets = { blank: [3], barcode: { 1: 'PATCHT', 4: 'INV-7' }, patch: { 3: '1', 4: 'T' } };
  for (const [separate, expected] of [
    [{ by: 'blank' }, [['1', '2'], ['4', '5']]], // prettier-ignore
    [{ by: 'BLANK', keep: true }, [['1', '2'], ['3', '4', '5']]], // prettier-ignore
    [{ by: 'barcode' }, [['2', '3', '4', '5']]],
    [{ by: 'barcode', text: 'INV-*' }, [['1', '2', '3'], ['5']]],
    [{ by: 'patch', codes: ['t'] }, [['1', '2', '3'], ['5']]],
    [{ by: 'patch', codes: [] }, [['1', '2'], ['5']]],
    [{ by: 'count', pages: 2 }, [['1', '2'], ['3', '4'], ['5']]],
  ] as const) {
    const { get, call, scan } = await scanned(t, 5, sheets, { separate });
    const said = JSON.stringify(separate);
    t.equal(scan.state, 'completed', said);
    const { documents, count } = (await get('documents')).json<Listed>();
    t.same(
      documents.map(({ pages }) => pages.map(String)),
      expected,
      said,
    );
    t.equal(count, documents.length);
    for (const { url, pages } of documents) t.same(numbersOf((await call('GET', url)).body), pages, url);
  }
});

t.test('documents: what separated one is named', async t => {
  const { get, scan } = await scanned(t, 4, { patch: { 1: 'T', 3: '1' } }, { separate: { by: 'patch' } });
  t.match((await get('documents')).json(), {
    documents: [
      { name: 'Patch T', pages: [2], separator: { page: 1, patch: 'T' } },
      { name: 'Patch 1', pages: [4], separator: { page: 3, patch: '1' } },
    ],
  });
  t.same(
    scan.pages.map(({ patch }) => patch),
    ['T', undefined, '1', undefined],
  );
});

t.test('documents: of another owner, not found; of a scan without pages, none', async t => {
  const { call, get, id } = await scanned(t, 0, {}, {});
  t.same((await get('documents')).json(), { success: true, documents: [], count: 0 });
  const foreign = await call('GET', `/api/scans/${id}/documents`, { origin: A });
  t.same([foreign.statusCode, codeOf(foreign)], [404, { code: 'scan-not-found' }]);
});

t.test('separate: a field of another way is refused by its name, and nothing is fed', async t => {
  const { start, driver } = await documentService(t, { sheets: 1 }, { recognisers: recognisersOf({}) });
  for (const [separate, field] of [
    ['blank', 'separate'],
    [[], 'separate'],
    [{}, 'separate.by'],
    [{ by: 'page' }, 'separate.by'],
    [{ by: 'count' }, 'separate.pages'],
    [{ by: 'count', pages: 0 }, 'separate.pages'],
    [{ by: 'count', pages: 1.5 }, 'separate.pages'],
    [{ by: 'count', pages: '2' }, 'separate.pages'],
    [{ by: 'count', pages: 2, keep: true }, 'separate.keep'],
    [{ by: 'count', pages: 2, text: 'A' }, 'separate.text'],
    [{ by: 'blank', pages: 2 }, 'separate.pages'],
    [{ by: 'blank', codes: [] }, 'separate.codes'],
    [{ by: 'barcode', codes: ['T'] }, 'separate.codes'],
    [{ by: 'barcode', text: '' }, 'separate.text'],
    [{ by: 'barcode', text: 'x'.repeat(501) }, 'separate.text'],
    [{ by: 'barcode', text: 5 }, 'separate.text'],
    [{ by: 'patch', text: 'T' }, 'separate.text'],
    [{ by: 'patch', codes: 'T' }, 'separate.codes'],
    [{ by: 'patch', codes: ['5'] }, 'separate.codes[0]'],
    [{ by: 'patch', keep: 'yes' }, 'separate.keep'],
  ] as const) {
    const answer = await start({}, { parameters: { separate } });
    t.equal(answer.statusCode, 400, JSON.stringify(separate));
    t.match(codeOf(answer), { code: 'invalid-value', field }, JSON.stringify(separate));
  }
  t.equal(driver.fed, 0);
});

t.test('separate: nothing here reads such a separator, refused', async t => {
  const { start, driver } = await documentService(t, { sheets: 1 });
  for (const by of ['blank', 'barcode', 'patch'])
    t.match(codeOf(await start({}, { parameters: { separate: { by } } })), {
      code: 'invalid-value',
      field: 'separate.by',
      allowed: ['count'],
    });
  t.equal(driver.fed, 0);
});

t.test('separate: a repeated request with its key is the same scan, whatever the order of its fields', async t => {
  const { start, list } = await documentService(t, { sheets: 4 }, { recognisers: recognisersOf({}) });
  const key = { 'idempotency-key': 'once' };
  const first = await start(key, { parameters: { separate: { by: 'count', pages: 2 }, blankPages: 'flag' } });
  const again = await start(key, { parameters: { blankPages: 'FLAG', separate: { pages: 2, by: 'COUNT', more: 1 } } });
  t.same([first.statusCode, again.statusCode], [201, 200]);
  t.equal(again.json<Scan>().id, first.json<Scan>().id);
  const other = await start(key, { parameters: { separate: { by: 'count', pages: 3 }, blankPages: 'flag' } });
  t.match(codeOf(other), { code: 'invalid-value', field: 'Idempotency-Key' });
  t.equal((await list()).count, 1);
});

t.test('separate: the calls that answer with images do not know it', async t => {
  const { call } = await documentService(t, { sheets: 1 });
  const body = { scannerName: 'A', parameters: { separate: { by: 'page' } } };
  t.equal((await call('POST', '/api/twain/scan', {}, body)).statusCode, 200);
});

t.test('separate: the scan is continued, the documents go on', async t => {
  const made = await documentService(t, { sheets: 5, faults: { 4: 'paper-jam' } });
  const { id } = (await made.start({}, { parameters: { separate: { by: 'count', pages: 2 } } })).json<Scan>();
  const read = async () => (await made.call('GET', `/api/scans/${id}/documents`)).json<Listed>().documents;
  await made.ended(id);
  t.match(await read(), [
    { pages: [1, 2], isComplete: true },
    { pages: [3], isComplete: false },
  ]);
  made.driver.clearFaults();
  made.driver.load(1);
  await made.call('POST', `/api/scans/${id}/continue`);
  await made.ended(id);
  const [, second] = await read();
  t.match(second, { pages: [3, 4], isComplete: true });
});

const of = ({ pages }: Scan): (Blank | undefined)[] => pages.map(({ blank }: ScanPage) => blank);

t.test('blankPages: pages say it when asked, and documents drop them unless they are asked for', async t => {
  const blank: Sheets = { blank: [2, 3] };
  const flags = [false, true, true, false].map(blankOf);
  for (const [blankPages, expected, inDocument] of [
    ['keep', [undefined, undefined, undefined, undefined], [1, 2, 3, 4]],
    ['flag', flags, [1, 2, 3, 4]],
    ['Drop', flags, [1, 4]],
  ] as const) {
    const { scan, get } = await scanned(t, 4, blank, { blankPages });
    t.same(of(scan), expected, blankPages);
    t.same(numbersOf((await get()).body), inDocument, blankPages);
    t.same((await get('documents')).json<Listed>().documents[0]?.pages, inDocument, blankPages);
    t.same(numbersOf((await get('document?pages=2,1')).body), [2, 1], blankPages);
  }
});

t.test('blankPages: all are blank and dropped, there is no document', async t => {
  const { get, scan } = await scanned(t, 2, { blank: [1, 2] }, { blankPages: 'drop' });
  t.equal(scan.pageCount, 2);
  const refused = await get();
  t.same([refused.statusCode, codeOf(refused)], [404, { code: 'no-pages' }]);
  t.same((await get('documents')).json<Listed>().documents, []);
  t.same(numbersOf((await get('document?pages=2')).body), [2]);
});

t.test('blankPages: images of one answer say it when asked, and only then', async t => {
  const recognisers = recognisersOf({ blank: [2] });
  const { call, driver } = await documentService(t, { sheets: 0 }, { recognisers });
  for (const [blankPages, expected] of [
    [undefined, [undefined, undefined]],
    ['keep', [undefined, undefined]],
    ['flag', [blankOf(false), blankOf(true)]],
    ['DROP', [blankOf(false), blankOf(true)]],
  ] as const) {
    const parameters = blankPages === undefined ? {} : { blankPages };
    driver.load(2);
    const simple = await call('POST', '/api/twain/scan', {}, { scannerName: 'A', parameters });
    driver.load(2);
    await call(
      'POST',
      '/api/twain',
      {},
      { kind: 'twainlocalscanner', method: 'openSource', params: { sourceName: 'A' } },
    );
    const direct = await call(
      'POST',
      '/api/twain',
      {},
      { kind: 'twainlocalscanner', method: 'scan', params: parameters },
    );
    await call('POST', '/api/twain', {}, { kind: 'twainlocalscanner', method: 'closeSource' });
    for (const images of [
      simple.json<{ images: Image[] }>().images,
      direct.json<{ data: { images: Image[] } }>().data.images,
    ]) {
      t.same(
        images.map(({ blank }) => blank),
        expected,
      );
      t.equal(
        images.some(image => 'blank' in image),
        expected[0] !== undefined,
      );
    }
  }
  const refused = await call('POST', '/api/scans', {}, { scannerName: 'A', parameters: { blankPages: 'remove' } });
  t.match(codeOf(refused), { code: 'invalid-value', field: 'blankPages', allowed: ['keep', 'flag', 'drop'] });
});

t.test('document: text that could not be read on a page is missing there only', async t => {
  const { get, scan } = await scanned(t, 3, { unreadable: [2] }, { ocrEnabled: true });
  t.match(scan.notes, [{ code: 'ocr-failed' }]);
  const { body } = await get();
  t.ok(isWhole(body));
  t.same(
    pagesOf(body).map(({ words }) => words),
    ['Sheet1', '', 'Sheet3'],
  );
  t.same(
    pagesOf((await get('document?searchable=FALSE')).body).map(({ words }) => words),
    ['', '', ''],
  );
});

t.test('document: the language of the text, and whether barcodes are wished', async t => {
  const { get } = await scanned(t, 1, {}, {});
  for (const [query, barcodes] of [
    ['', 'false'],
    ['?barcodes=true', 'true'],
    ['?barcodes=False', 'false'],
  ] as const)
    t.match((await get(`document${query}`)).body, new RegExp(`"language":"en".*"barcodes":${barcodes}`));
});
