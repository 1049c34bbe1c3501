/** Sheets in, documents out. */
import t from 'tap';
import type { Barcode, PatchCode } from '../contract/recogniser.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { ScanState } from '../kept/scanFacts.js';
import { pageOf } from '../kept/storedPage.test.kit.js';
import type { StoredPage } from '../kept/storedPage.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { Separation } from '../pipeline/separation.js';
import { optionsWith } from '../service.test.kit.js';
import { documentsOf } from './separate.js';

interface Side {
  readonly isBlank?: boolean;
  readonly texts?: readonly string[];
  readonly patch?: PatchCode;
}

const text: Side = { isBlank: false };
const blank: Side = { isBlank: true };
const coded = (...texts: string[]): Side => ({ ...text, texts });
const patched = (patch: PatchCode): Side => ({ ...text, patch });

/** @param sheets the sides of each; the front first */
function scanOf(
  separate: Separation | undefined,
  sheets: readonly (readonly Side[])[],
  state: ScanState = 'completed',
  options: Partial<ScanOptions> = {},
): KeptScan {
  let pageNumber = 0;
  const pages = sheets.flatMap((sides, index) =>
    sides.map(({ isBlank, texts = [], patch }, which): StoredPage => {
      const barcodes = texts.map((text): Barcode => ({ text, barcodeType: 'CODE_39', confidence: 1 }));
      const page = {
        ...pageOf(++pageNumber),
        sheet: index + 1,
        side: which === 0 ? ('front' as const) : ('back' as const),
        barcodes,
        ...(isBlank === undefined ? {} : { blank: { isBlank, ink: 0, why: '' } }),
        ...(patch === undefined ? {} : { patch }),
      };
      return { page } as unknown as StoredPage;
    }),
  );
  const duplexMode = sheets.some(({ length }) => length > 1) ? 'DuplexLongEdge' : 'Simplex';
  return {
    id: 'x',
    origins: [''],
    kind: 'scan',
    scannerName: 'Fake scanner',
    options: { ...optionsWith(), duplexMode, ...(separate ? { separate } : {}), ...options },
    createdAt: 0,
    state,
    notes: [],
    pages,
    progress: { scanned: pages.length, finished: pages.length },
    changed: async () => undefined,
    cancel: () => undefined,
  };
}

const pagesOf = (scan: KeptScan): (readonly number[])[] => documentsOf(scan).map(({ pages }) => pages);
const namesOf = (scan: KeptScan): string[] => documentsOf(scan).map(({ name }) => name);
const completeOf = (scan: KeptScan): boolean[] => documentsOf(scan).map(({ isComplete }) => isComplete);

t.test('documentsOf: no separation, one document with all pages', async t => {
  t.strictSame(documentsOf(scanOf(undefined, [[text], [blank], [coded('PATCHT')]])), [
    { number: 1, name: 'Document 1', pages: [1, 2, 3], isComplete: true },
  ]);
  t.strictSame(documentsOf(scanOf(undefined, [])), []);
});

t.test('documentsOf: an auto-scan, which has no options, one document', async t => {
  const { options: _, ...scan } = scanOf(undefined, [[text], [text]]);
  t.strictSame(pagesOf({ ...scan, kind: 'autoscan' }), [[1, 2]]);
});

t.test('documentsOf: by count, that many pages each, the rest in the last', async t => {
  t.strictSame(pagesOf(scanOf({ by: 'count', pages: 2 }, [[text], [text], [text], [text], [text]])), [
    [1, 2],
    [3, 4],
    [5],
  ]);
  t.strictSame(pagesOf(scanOf({ by: 'count', pages: 1 }, [[text, text], [text]])), [[1], [2], [3]]);
});

t.test('documentsOf: by count with dropped pages, the others stay in their documents', async t => {
  const scan = scanOf(
    { by: 'count', pages: 2 },
    [
      [text, blank],
      [text, text],
      [blank, blank],
      [text, blank],
    ],
    'completed',
    {
      blankPages: 'drop',
    },
  );
  t.strictSame(pagesOf(scan), [[1], [3, 4], [7]]);
  t.strictSame(
    documentsOf(scan).map(({ number, name }) => `${number} ${name}`),
    ['1 Document 1', '2 Document 2', '3 Document 3'],
  );
});

t.test('documentsOf: by count while the scan runs, a document with all of its pages is complete', async t => {
  const by: Separation = { by: 'count', pages: 2 };
  t.strictSame(completeOf(scanOf(by, [[text], [text]], 'running')), [true]);
  t.strictSame(completeOf(scanOf(by, [[text], [text], [text]], 'running')), [true, false]);
});

t.test('documentsOf: a barcode, its sheet is in no document and its text is the name', async t => {
  t.strictSame(documentsOf(scanOf({ by: 'barcode' }, [[text], [coded('PATCHT')], [text], [text]])), [
    { number: 1, name: 'Document 1', pages: [1], isComplete: true },
    { number: 2, name: 'PATCHT', pages: [3, 4], isComplete: true, separator: { page: 2, text: 'PATCHT' } },
  ]);
});

t.test('documentsOf: other barcodes, they separate nothing', async t => {
  const sheets = [[text], [coded('patcht', 'XPATCHT', 'PATCHTX', '')], [text]];
  t.strictSame(pagesOf(scanOf({ by: 'barcode' }, sheets)), [[1, 2, 3]]);
});

t.test('documentsOf: a pattern, the varying part is the name', async t => {
  const sheets = [[coded('X', 'INV-2026/17')], [text], [coded('INV-')], [text]];
  const documents = documentsOf(scanOf({ by: 'barcode', text: 'INV-*' }, sheets));
  t.strictSame(
    documents.map(({ name, separator }) => [name, separator]),
    [
      ['2026-17', { page: 1, text: 'INV-2026/17' }],
      ['INV-', { page: 3, text: 'INV-' }],
    ],
  );
});

t.test('documentsOf: keep, both sides of the separator begin its document', async t => {
  const sheets = [
    [text, text],
    [coded('PATCHT'), text],
    [text, text],
  ];
  t.strictSame(pagesOf(scanOf({ by: 'barcode', keep: true }, sheets)), [
    [1, 2],
    [3, 4, 5, 6],
  ]);
  t.strictSame(pagesOf(scanOf({ by: 'blank', keep: true }, [[text], [blank], [blank], [text]])), [[1], [2], [3, 4]]);
});

t.test('documentsOf: keep with dropped pages, a dropped separator is in no document', async t => {
  const scan = scanOf({ by: 'blank', keep: true }, [[text], [blank], [text]], 'completed', { blankPages: 'drop' });
  t.strictSame(pagesOf(scan), [[1], [3]]);
});

t.test('documentsOf: a code on the back, the whole sheet separates', async t => {
  const sheets = [
    [text, text],
    [text, coded('PATCHT')],
    [text, text],
  ];
  const [, second, ...more] = documentsOf(scanOf({ by: 'barcode' }, sheets));
  t.strictSame([second?.pages, second?.separator?.page, more.length], [[5, 6], 4, 0]);
});

t.test('documentsOf: blank sheets, only one with no content on either side separates', async t => {
  const sheets = [
    [text, blank],
    [blank, text],
    [blank, blank],
    [text, blank],
  ];
  t.strictSame(
    documentsOf(scanOf({ by: 'blank' }, sheets)).map(({ pages, separator }) => [pages, separator]),
    [
      [[1, 2, 3, 4], undefined],
      [[7, 8], { page: 5 }],
    ],
  );
});

t.test('documentsOf: whether a page is blank could not be found out, it has content', async t => {
  t.strictSame(pagesOf(scanOf({ by: 'blank' }, [[text], [{}], [blank, {}], [text]])), [[1, 2, 3, 4, 5]]);
});

t.test('documentsOf: patch codes, all or those that were asked for', async t => {
  const sheets = [[patched('T')], [text], [patched('2')], [text], [patched('T')], [text]];
  t.strictSame(namesOf(scanOf({ by: 'patch' }, sheets)), ['Patch T', 'Patch 2', 'Patch T (2)']);
  t.strictSame(
    documentsOf(scanOf({ by: 'patch', codes: ['2', '3'] }, sheets)).map(({ pages, separator }) => [pages, separator]),
    [
      [[1, 2], undefined],
      [[4, 5, 6], { page: 3, patch: '2' }],
    ],
  );
});

t.test('documentsOf: separators first, last and in a row, no empty document', async t => {
  const sheets = [[patched('T')], [patched('T')], [text], [patched('2')], [patched('3')], [text], [patched('T')]];
  t.strictSame(
    documentsOf(scanOf({ by: 'patch' }, sheets)).map(({ number, name, pages }) => [number, name, pages]),
    [
      [1, 'Patch T', [3]],
      [2, 'Patch 3', [6]],
    ],
  );
  t.strictSame(documentsOf(scanOf({ by: 'patch' }, [[patched('T')]])), []);
});

t.test('documentsOf: the scan runs or ended early, all but the last document are complete', async t => {
  const sheets = [[text], [patched('T')], [text]];
  for (const state of ['running', 'failed', 'cancelled', 'interrupted'] as const)
    t.strictSame(completeOf(scanOf({ by: 'patch' }, sheets, state)), [true, false], state);
  t.strictSame(completeOf(scanOf({ by: 'patch' }, sheets.slice(0, 2), 'running')), [true]);
});

t.test('documentsOf: the back may still come, a document that it could change is not complete', async t => {
  const front = (side: Side, separate: Separation, state: ScanState = 'running') =>
    documentsOf(scanOf(separate, [[text, text], [side]], state)).map(({ pages, isComplete }) => [pages, isComplete]);
  t.strictSame(front(blank, { by: 'blank' }), [[[1, 2], false]]);
  t.strictSame(front(blank, { by: 'blank' }, 'failed'), [[[1, 2], false]]);
  t.strictSame(front(blank, { by: 'blank' }, 'completed'), [[[1, 2], true]]);
  t.strictSame(front(text, { by: 'barcode' }), [[[1, 2, 3], false]]);
  t.strictSame(front(coded('PATCHT'), { by: 'barcode' }), [[[1, 2], true]]);
});

t.test('documentsOf: the scan was continued, the sheet before goes on its own', async t => {
  const scan = scanOf({ by: 'blank' }, [[text, text], [blank], [text, text]], 'running');
  t.strictSame(
    documentsOf(scan).map(({ pages, isComplete }) => [pages, isComplete]),
    [
      [[1, 2], true],
      [[4, 5], false],
    ],
  );
});

t.test('documentsOf: pages come one by one, complete documents never change', async t => {
  const separations: Separation[] = [
    { by: 'blank' },
    { by: 'barcode' },
    { by: 'patch', keep: true },
    { by: 'count', pages: 3 },
    { by: 'blank', keep: true },
  ];
  const sides = [text, blank, blank, coded('PATCHT'), patched('T'), blank, text, text, blank, blank];
  for (const separate of separations) {
    for (let seed = 0; seed < 50; seed++) {
      const side = (n: number): Side => sides[(n * 7 + seed * n + seed) % sides.length] ?? text;
      const sheets = Array.from({ length: 12 }, (_, n) => [side(2 * n), side(2 * n + 1)]);
      const all = sheets.flat().length;
      const whole = scanOf(separate, sheets);
      const last = documentsOf(whole);
      for (let count = 1; count <= all; count++) {
        const sofar = documentsOf({ ...whole, state: 'running', pages: whole.pages.slice(0, count) });
        const complete = sofar.filter(({ isComplete }) => isComplete);
        t.strictSame(complete, last.slice(0, complete.length), `${JSON.stringify(separate)} ${seed} ${count}`);
      }
    }
  }
});

t.test('documentsOf: 10,000 pages with one name, each has its own', async t => {
  const sheets = Array.from({ length: 5000 }, () => [[coded('PATCHT')], [text]]).flat();
  const names = namesOf(scanOf({ by: 'barcode' }, sheets));
  t.equal(new Set(names).size, 5000);
  t.equal(names.at(-1), 'PATCHT (5000)');
});
