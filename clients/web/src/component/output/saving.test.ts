import t from 'tap';
import { PlatenError } from '../../client/errors.js';
import type { Page, Sheet } from '../pages/page.js';
import { fakeContext, kept, type FakeContext } from '../pages/sheets.test.kit.js';
import { createStack, type Stack } from '../pages/stack.js';
import type { DocumentPage } from './documentPages.js';
import type { WriterOptions } from './pdf.js';
import type { PrintedPage } from './print.js';
import { createSaving, type Saving, type SavingOptions } from './saving.js';
import type { NoticeWords } from './savingNotices.js';

const blank: Partial<Page> = { blank: { isBlank: true, ink: 0, why: 'empty' } };
const ids = (sheets: readonly Sheet[]): string[] => sheets.map(({ id }) => id);

interface ScanDialog {
  readonly saving: Saving;
  readonly stack: Stack;
  readonly context: FakeContext;
  readonly files: { readonly name: string; readonly file: Blob }[];
  readonly documents: { readonly pages: readonly DocumentPage[]; readonly options: WriterOptions }[];
  readonly notices: (NoticeWords & { readonly kind: string; isClosed: boolean })[];
  readonly saved: string[];
  /** Of the files with these pages. */
  readonly facts: { readonly name: string; readonly bytes: number }[];
  readonly printed: (readonly PrintedPage[])[];
  readonly failures: unknown[];
}

/** Pages to save, whose service writes documents. */
function dialog(sheets: readonly Sheet[], more: Partial<SavingOptions> = {}): ScanDialog {
  const context = fakeContext();
  const stack = createStack(() => undefined);
  stack.add(sheets, 'same');
  const [files, documents, notices, saved, facts, printed, failures] = [[], [], [], [], [], [], []] as [
    ScanDialog['files'],
    ScanDialog['documents'],
    ScanDialog['notices'],
    string[],
    ScanDialog['facts'],
    ScanDialog['printed'],
    unknown[],
  ];
  const saving = createSaving({
    context,
    stack,
    async documentOf(pages, options) {
      documents.push({ pages, options });
      options.onProgress(500);
      return new Blob(['%PDF']);
    },
    droppedOf: async found => found.filter(({ id }) => id.startsWith('drop/')),
    isPdfInstalled: () => true,
    notify(kind, words) {
      const notice = { kind, isClosed: false, ...words };
      notices.push(notice);
      return () => void (notice.isClosed = true);
    },
    onSaved({ sheets: some, layout, ...file }) {
      saved.push(...ids(some));
      facts.push(file);
      return layout.order.length === some.length;
    },
    fail: error => void failures.push(error),
    download: (file, name) => void files.push({ file, name }),
    print: async pages => void printed.push(pages),
    ...more,
  });
  return { saving, stack, context, files, documents, notices, saved, facts, printed, failures };
}

t.test('saving: one PDF of pages of several scans, in the person’s order, turned', async t => {
  const { saving, stack, documents, files, saved, facts, notices, context } = dialog([
    kept('a', 1),
    kept('a', 2),
    kept('b', 1),
  ]);
  const [one, two, three] = stack.all as [Sheet, Sheet, Sheet];
  stack.move([three], 1);
  stack.turn([two], 270);
  await saving.savePdf();
  t.strictSame(documents[0]?.pages, [
    { scan: 'b', number: 1 },
    { scan: 'a', number: 1 },
    { scan: 'a', number: 2, rotate: 270 },
  ]);
  t.match(documents[0]?.options, { format: 'pdf', title: 'Feeder A, November 21, 2026 at 10:30 AM' });
  t.equal(files[0]?.name, 'scan-20261121-1030.pdf');
  t.equal(await files[0]?.file.text(), '%PDF');
  t.same(saved, ['b/1', 'a/1', 'a/2']);
  t.same(notices, []);
  t.match(context.said, ['Saving 3 pages as PDF', /scan-20261121-1030\.pdf/]);
  t.same(facts, [{ name: 'scan-20261121-1030.pdf', bytes: 4 }]);
  t.equal(saving.activity, undefined);
  await saving.savePdf([one]);
  t.strictSame(documents[1]?.pages, [{ scan: 'a', number: 1 }]);
  t.match(notices, [{ kind: 'note', title: /scan-20261121-1030\.pdf/, text: '1 page · 4 bytes' }], 'a part is told');
});

t.test('saving: pages that cannot be in a PDF are named by their places', async t => {
  const sheets = [
    kept('drop', 1, blank),
    kept('a', 1, blank),
    kept('a', 2, { damage: 'unreadable' }),
    kept('a', 4),
    kept('drop', 2, blank),
  ];
  const { saving, documents, notices, saved, stack } = dialog(sheets);
  t.same(ids(stack.all), ['drop/1', 'drop/2', 'a/1', 'a/2', 'a/4']);
  await saving.savePdf();
  t.strictSame(documents[0]?.pages, [
    { scan: 'a', number: 1 },
    { scan: 'a', number: 4 },
  ]);
  t.same(saved, ['a/1', 'a/4', 'drop/1', 'drop/2'], 'who saves without blank pages does not want them');
  t.match(notices, [{ kind: 'alert', title: 'PDF saved', action: { text: 'Save with blank pages' } }]);
  const said = notices[0]?.text;
  t.match(said, 'Left out as blank: pages 1–2.');
  t.match(said, 'Left out: page 4. They cannot be read.');
  notices[0]?.action?.run();
  await new Promise(setImmediate);
  t.equal(documents[1]?.pages.length, 4, 'with the blank ones');
  t.equal(notices[0]?.isClosed, true);
});

t.test('saving: no page for a PDF is an alert, and no document', async t => {
  const { saving, documents, notices, files } = dialog([kept('a', 1, { damage: 'unreadable' })]);
  await saving.savePdf();
  t.same([documents, files], [[], []]);
  t.match(notices, [
    { kind: 'alert', title: 'There is no page for a PDF', text: 'Left out: page 1. They cannot be read.' },
  ]);
});

t.test('saving: a failure, then a document: the message is closed', async t => {
  let answer = (): Promise<Blob> => Promise.reject(new PlatenError('storage-failed', 'Page 2 is damaged.'));
  const { saving, notices, failures, saved } = dialog([kept('a', 1)], { documentOf: () => answer() });
  await saving.savePdf();
  t.match(notices, [{ kind: 'alert', title: 'The PDF could not be saved', detail: 'Page 2 is damaged.' }]);
  answer = () => Promise.reject(new PlatenError('no-answer', 'Nobody answers.'));
  await saving.savePdf();
  t.match(failures, [{ code: 'no-answer' }]);
  t.same(saved, []);
  answer = async () => new Blob();
  await saving.savePdf();
  t.equal(notices[0]?.isClosed, true);
  t.same(saved, ['a/1']);
});

t.test('saving: one at a time, with its progress, until it is cancelled', async t => {
  const { saving, context, files, notices, failures } = dialog([kept('a', 1)], {
    documentOf: (_, { signal, onProgress }) =>
      new Promise((_resolve, reject) => {
        onProgress(1200);
        signal.addEventListener('abort', () => reject(new PlatenError('cancelled', 'Cancelled.')));
      }),
  });
  const first = saving.savePdf();
  t.match(saving.activity, { kind: 'pdf', total: 1, bytes: 1200 });
  await saving.saveImages();
  t.same(files, [], 'another one is not begun');
  saving.activity?.cancel();
  await first;
  t.equal(saving.activity, undefined);
  t.same(context.said, ['Saving 1 page as PDF', 'Saving was cancelled']);
  t.same([notices, failures], [[], []]);
});

t.test('saving: images: one as a file, several as a ZIP; turned as they are shown; damaged ones are named', async t => {
  const { saving, stack, files, saved, notices } = dialog([
    kept('a', 1),
    kept('a', 2, { damage: 'unreadable' }),
    kept('a', 3, { mimeType: 'image/tiff' }),
  ]);
  const [one, , three] = stack.all as [Sheet, Sheet, Sheet];
  stack.turn([three], 90);
  await saving.saveImages([three]);
  t.equal(files[0]?.name, 'scan-20261121-1030-page-03.tif');
  t.equal(await files[0]?.file.text(), 'a/3 90');
  await saving.saveImages();
  t.equal(files[1]?.name, 'scan-20261121-1030.zip');
  const archive = await files[1]?.file.text();
  t.match(archive, 'scan-20261121-1030-page-01.pnga/1 0');
  t.match(archive, 'scan-20261121-1030-page-03.tifa/3 90');
  t.notMatch(archive, 'a/2');
  t.same(saved, ['a/3', 'a/1', 'a/3']);
  t.match(notices[0], { kind: 'note', title: /page-03\.tif/ });
  t.match(notices.slice(1), [
    { kind: 'alert', title: '2 pages saved', text: 'Left out: page 2. They cannot be read.' },
  ]);
  t.equal(one.id, 'a/1');
});

t.test('saving: a stack beyond the limits of an archive is saved in parts', async t => {
  const { saving, files } = dialog([1, 2, 3].map(number => kept('a', number, { bytes: 0x9000_0000 })));
  await saving.saveImages();
  t.same(
    files.map(({ name }) => name),
    [1, 2, 3].map(part => `scan-20261121-1030-part-${part}.zip`),
  );
});

t.test('saving: file names by the remembered pattern', async t => {
  const code = { text: 'INV/7', barcodeType: 'QR_CODE', confidence: 1 };
  const { saving, files, context } = dialog([kept('a', 1), kept('a', 2, { barcodes: [code] })]);
  saving.pattern = '{scanner} {barcode}';
  t.equal(saving.example, 'Feeder A INV_7');
  await saving.savePdf();
  t.equal(files[0]?.name, 'Feeder A INV_7.pdf');
  await saving.saveImages();
  t.match(await files[1]?.file.text(), /Feeder A-page-01\.png.*Feeder A INV_7-page-02\.png/s);
  t.equal(context.memory.recall('fileName'), '{scanner} {barcode}');
  saving.pattern = ' ';
  t.equal(saving.pattern, 'scan-{date}-{time}');
});

t.test('saving: print: all that can be read, turned; the others are named', async t => {
  const { saving, stack, printed, notices } = dialog([kept('a', 1, { mimeType: 'image/tiff' }), kept('a', 2)]);
  stack.turn(stack.all.slice(1, 2), 180);
  await saving.print();
  t.same(
    printed[0]?.map(({ turn }) => turn),
    [0, 180],
  );
  t.same(notices, []);
  stack.add([kept('d', 1, { damage: 'unreadable' })], 'same');
  await saving.print();
  t.equal(printed[1]?.length, 2);
  t.match(notices, [
    { kind: 'alert', title: 'Some pages are not printed', text: 'Left out: page 3. They cannot be read.' },
  ]);
});
