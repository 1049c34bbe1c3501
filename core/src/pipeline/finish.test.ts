/** One page on its way to a file: failures never lose the page, and no step runs twice. */
import {
  fakeBarcodes,
  fakeFormat,
  fakeProcessor,
  fakeRecogniser,
  fakeText,
  readFakeFile,
  testPage,
} from '@platen/conformance';
import t from 'tap';
import type { Format } from '../contract/format.js';
import type { EncodedPage, Page, RawPage } from '../contract/page.js';
import type { Processor } from '../contract/processor.js';
import type { BarcodeRecogniser, BlankRecogniser, OcrRecogniser, PatchRecogniser } from '../contract/recogniser.js';
import type { Adjustment, ColorMode } from '../contract/words.js';
import { fromBilevelTiff, toBilevelTiff } from '../pixels/bilevelTiff.js';
import { finishPage } from './finish.js';
import type { ScanNote } from './notes.js';
import type { Work } from './work.js';

const call = { signal: new AbortController().signal };
const png = fakeFormat({ name: 'Png', mimeType: 'image/png' });
/** Reads what our device encodes. */
const tiff: Format = {
  ...fakeFormat({ name: 'Tiff', mimeType: 'image/tiff' }),
  decode: async bytes => fromBilevelTiff(bytes),
};
const options = {
  duplexMode: 'Simplex',
  pageSize: 'A4',
  autoRotate: false,
  autoDeskew: false,
  autoCrop: false,
  format: 'Png',
  quality: 90,
  ocr: false,
  timeoutSeconds: 0,
  report: false,
} as const;
const barcodeWishes = { filterLevel: 'Normal', formats: [], stopAfterFirst: false } as const;

interface Given {
  readonly format?: Format;
  readonly formats?: readonly Format[];
  readonly processors?: readonly Processor[];
  readonly adjustments?: readonly Adjustment[];
  readonly colorMode?: ColorMode;
  readonly barcode?: BarcodeRecogniser;
  readonly ocr?: OcrRecogniser;
}

function workFor({
  format = png,
  formats = [png, tiff],
  processors = [],
  adjustments = [],
  colorMode = 'Color',
  barcode,
  ocr,
}: Given = {}): Work & { notes: ScanNote[] } {
  const notes: ScanNote[] = [];
  const order = {
    source: 'feeder',
    resolution: 300,
    colorMode,
    duplexMode: 'Simplex',
    pageSize: 'A4',
    adjustments: [],
    maxPixels: 1e9,
  } as const;
  return {
    plan: {
      options,
      order,
      colorMode,
      format,
      quality: 90,
      adjustments,
      controls: {},
      barcode: barcode && barcodeWishes,
      ocr: ocr !== undefined,
      blank: false,
      patch: false,
      finders: [],
      processors: [],
    },
    software: { processors, formats, barcode, ocr },
    call,
    driver: 'acme',
    note: note => void notes.push(note),
    notes,
  };
}

/** As a device delivers it: a 1-bit TIFF. */
function encodedPage(facts: Partial<EncodedPage> = {}): EncodedPage {
  const { stride: _, data: __, ...page } = testPage({ pixels: 'bw1' });
  return {
    ...page,
    kind: 'encoded',
    mimeType: 'image/tiff',
    data: toBilevelTiff(testPage({ pixels: 'bw1' })),
    ...facts,
  };
}

t.test('finish: a raw page, a file with its facts', async t => {
  const page = testPage({ width: 30, height: 20, dpi: 150, pixels: 'gray8', padding: 3, sheet: 2, side: 'back' });
  const { data, report: _, ...facts } = await finishPage(page, 4, workFor());
  t.same(facts, {
    pageNumber: 4,
    sheet: 2,
    side: 'back',
    width: 30,
    height: 20,
    dpi: 150,
    format: 'Png',
    mimeType: 'image/png',
    barcodes: [],
    ocrText: '',
    processing: [],
  });
  t.same(readFakeFile(data), { width: 30, height: 20, dpi: 150, depth: 8 });
});

t.test('finish: delivered in the requested format, passed on byte for byte', async t => {
  const page = encodedPage();
  let decodes = 0;
  const counting: Format = { ...tiff, decode: async bytes => (decodes++, fromBilevelTiff(bytes)) };
  const work = workFor({ format: counting, formats: [png, counting], colorMode: 'BlackAndWhite' });
  const finished = await finishPage(page, 1, work);
  t.equal(finished.data, page.data);
  t.equal(decodes, 0, 'its pixels were not needed');
  t.match(finished, { format: 'Tiff', mimeType: 'image/tiff', width: 64, height: 48, processing: [] });
  t.same(work.notes, []);
});

t.test(
  'finish: delivered in the requested format with recognition, decoded for it and passed on byte for byte',
  async t => {
    const page = encodedPage();
    const [barcode, ocr] = [fakeRecogniser('barcode'), fakeRecogniser('ocr')];
    const finished = await finishPage(page, 1, workFor({ format: tiff, barcode, ocr }));
    t.equal(finished.data, page.data);
    t.match(finished, { barcodes: fakeBarcodes, ocrText: fakeText });
    const still = await finishPage(
      page,
      1,
      workFor({
        format: tiff,
        processors: [fakeProcessor('deskew')],
        adjustments: ['deskew'],
        barcode: fakeRecogniser('barcode'),
      }),
    );
    t.not(still.data, page.data, 'unless it was changed');
  },
);

t.test('finish: delivered in another format, decoded and encoded again', async t => {
  const { data, ...finished } = await finishPage(encodedPage({ dpi: 240 }), 1, workFor());
  t.match(finished, { format: 'Png', mimeType: 'image/png', dpi: 240, width: 64 });
  t.same(readFakeFile(data), { width: 64, height: 48, dpi: 240, depth: 1 });
});

t.test('finish: delivered in a format that no plugin decodes, passed on with a note', async t => {
  const page = encodedPage();
  const { decode: _, ...blind } = tiff;
  for (const formats of [[png], [png, blind as Format]]) {
    const work = workFor({ formats, processors: [fakeProcessor('crop')], adjustments: ['crop', 'rotate'] });
    const finished = await finishPage(page, 1, work);
    t.equal(finished.data, page.data);
    t.match(finished, { mimeType: 'image/tiff', format: 'Tiff' });
    t.match(work.notes, [{ code: 'format-unchanged', text: /image\/tiff/ }]);
    t.match(finished.processing, [
      { adjustment: 'rotate', by: 'nobody' },
      { adjustment: 'crop', by: 'nobody', why: 'the page could not be decoded' },
    ]);
  }
});

t.test('finish: an incomplete image, driver-failed whatever was requested and is loaded', async t => {
  const { data } = encodedPage();
  const torn = encodedPage({ data: data.subarray(0, -20) });
  const untrue = encodedPage({ height: 47 });
  for (const page of [torn, untrue]) {
    for (const given of [{}, { format: tiff }, { formats: [png] }, { ocr: fakeRecogniser('ocr') }]) {
      await t.rejects(finishPage(page, 3, workFor(given)), {
        code: 'driver-failed',
        message: /^The driver acme .*page 3/,
      });
    }
  }
});

t.test('finish: the decoder fails or returns another size, driver-failed with one sentence', async t => {
  const refusing: Format = {
    ...tiff,
    decode: () => Promise.reject(new Error('VipsTiff: strip 3\nVipsTiff: out of order read\n')),
  };
  const other: Format = { ...tiff, decode: async bytes => ({ ...fromBilevelTiff(bytes), height: 40 }) };
  for (const format of [refusing, other]) {
    const error = await finishPage(encodedPage(), 1, workFor({ formats: [png, format] })).catch(
      (thrown: unknown) => thrown as Error,
    );
    t.match(error, { code: 'driver-failed' });
    t.notMatch((error as Error).message, /\n|Vips/);
  }
});

t.test('adjustments: done by the device, not repeated; the others are done in software', async t => {
  const [deskew, crop] = [fakeProcessor('deskew'), fakeProcessor('crop')];
  const page: Page = { ...testPage(), adjusted: ['deskew'] };
  const { processing } = await finishPage(
    page,
    1,
    workFor({ processors: [deskew, crop], adjustments: ['deskew', 'crop', 'rotate'] }),
  );
  t.same([deskew.applies, crop.applies], [0, 1]);
  t.match(processing, [
    { adjustment: 'deskew', by: 'device' },
    { adjustment: 'rotate', by: 'nobody', why: /plugin/ },
    { adjustment: 'crop', by: 'software' },
  ]);
});

t.test('adjustments: only requested ones, and only backs are turned', async t => {
  const turn = fakeProcessor('turn');
  const crop = fakeProcessor('crop');
  const work = workFor({ processors: [turn, crop], adjustments: ['turn'] });
  t.same((await finishPage(testPage({ side: 'front' }), 1, work)).processing, []);
  t.equal(turn.applies, 0);
  t.match((await finishPage(testPage({ side: 'back' }), 2, work)).processing, [{ adjustment: 'turn', by: 'software' }]);
  t.match((await finishPage({ ...testPage({ side: 'back' }), adjusted: ['turn'] }, 2, work)).processing, [
    { adjustment: 'turn', by: 'device' },
  ]);
  t.same([turn.applies, crop.applies], [1, 0]);
});

t.test('colorMode: a richer page is reduced, a poorer one stays', async t => {
  const color = fakeProcessor('color');
  const depth = async (pixels: RawPage['pixels'], colorMode: ColorMode, processors: Processor[]) =>
    readFakeFile((await finishPage(testPage({ pixels }), 1, workFor({ processors, colorMode }))).data).depth;
  t.equal(await depth('rgb24', 'Grayscale', [color]), 8);
  t.equal(await depth('gray8', 'BlackAndWhite', [color]), 1);
  t.equal(color.applies, 2);
  t.equal(await depth('gray8', 'Color', [color]), 8);
  t.equal(color.applies, 2);
  t.match((await finishPage(testPage(), 1, workFor({ colorMode: 'Grayscale' }))).processing, [
    { adjustment: 'color', by: 'nobody' },
  ]);
});

t.test('processors: several, in configuration order, each on the result of the one before', async t => {
  const seen: string[] = [];
  const step = (adjustment: Processor['adjustment'], width: number): Processor => ({
    adjustment,
    apply: async page => (seen.push(`${adjustment} of ${page.width}`), { page: { ...page, width }, applied: true }),
  });
  const finished = await finishPage(
    testPage(),
    1,
    workFor({ processors: [step('crop', 40), step('rotate', 30)], adjustments: ['rotate', 'crop'] }),
  );
  t.same(seen, ['crop of 64', 'rotate of 40']);
  t.equal(finished.width, 30);
});

t.test('processors: one fails, does nothing or returns nonsense, the next gets the page', async t => {
  const failing = fakeProcessor('rotate', { fails: new Error('no memory') });
  const rude: Processor = {
    adjustment: 'deskew',
    apply: () => {
      throw new Error('at once');
    },
  };
  const idle: Processor = {
    adjustment: 'crop',
    apply: async () => ({ applied: false, why: 'no edges were found' }) as never,
  };
  const turn = fakeProcessor('turn');
  const work = workFor({ processors: [failing, rude, idle, turn], adjustments: ['turn', 'rotate', 'deskew', 'crop'] });
  const finished = await finishPage(testPage({ side: 'back' }), 2, work);
  t.match(finished.processing, [
    { adjustment: 'rotate', by: 'nobody', why: 'no memory' },
    { adjustment: 'deskew', by: 'nobody', why: 'at once' },
    { adjustment: 'crop', by: 'nobody', why: 'no edges were found' },
    { adjustment: 'turn', by: 'software' },
  ]);
  t.match(work.notes, [
    { code: 'adjustment-failed', text: /Page 2 .*rotate.*no memory/ },
    { code: 'adjustment-failed', text: /Page 2 .*deskew.*at once/ },
  ]);
  t.equal(work.notes.length, 2);
  t.ok(readFakeFile(finished.data));
});

t.test('recognisers: barcodes and text, read side by side from the delivered page', async t => {
  let open = (): void => undefined;
  const until = new Promise<void>(resolve => (open = resolve));
  const barcode = fakeRecogniser('barcode', { until });
  const ocr = fakeRecogniser('ocr', { until, reads: page => `${page.width} wide` as string });
  const narrow: Processor = {
    adjustment: 'crop',
    apply: async page => ({ page: { ...page, width: 8 }, applied: true }),
  };
  const finishing = finishPage(testPage(), 1, workFor({ barcode, ocr, processors: [narrow], adjustments: ['crop'] }));
  for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve));
  t.same([barcode.reads, ocr.reads], [1, 1], 'neither waits for the other');
  open();
  t.match(await finishing, { ocrText: '8 wide', barcodes: fakeBarcodes });
});

t.test('recognisers: one fails, its result is missing with a note; the page and the other result are kept', async t => {
  const rude: BarcodeRecogniser = {
    kind: 'barcode',
    read: () => {
      throw new Error('the worker died');
    },
  };
  for (const barcode of [fakeRecogniser('barcode', { fails: new Error('the worker died') }), rude]) {
    const work = workFor({ barcode, ocr: fakeRecogniser('ocr') });
    t.match(await finishPage(testPage(), 5, work), { barcodes: [], ocrText: fakeText, mimeType: 'image/png' });
    t.match(work.notes, [{ code: 'barcodes-failed', text: /page 5 .*the worker died/ }]);
    t.equal(work.notes.length, 1);
  }
  const work = workFor({ barcode: fakeRecogniser('barcode'), ocr: fakeRecogniser('ocr', { fails: 'no language' }) });
  t.match(await finishPage(testPage(), 1, work), { barcodes: fakeBarcodes, ocrText: '' });
  t.match(work.notes, [{ code: 'ocr-failed', text: /page 1 .*no language/ }]);
  t.equal(work.notes.length, 1);
});

t.test('recognisers: an answer that is none, as if they failed: stored, the page could not be read again', async t => {
  const word = { text: 'a', confidence: 1, x: 1, y: 1, width: 2, height: 2, line: 0 };
  for (const answer of [
    null,
    5,
    {},
    { words: [] },
    { text: 'a', words: [null] },
    { text: 'a', words: [{ ...word, x: NaN }] },
  ]) {
    const ocr: OcrRecogniser = { ...fakeRecogniser('ocr'), read: async () => answer as string };
    const work = workFor({ ocr });
    const { ocrText, words } = await finishPage(testPage(), 1, work);
    t.same([ocrText, words], ['', undefined]);
    t.match(work.notes, [{ code: 'ocr-failed' }]);
  }
  const bad = { isBlank: true, ink: NaN, why: '' };
  const blank: BlankRecogniser = { kind: 'blank', read: async () => bad };
  const patch: PatchRecogniser = { kind: 'patch', read: async () => '9' as '1' };
  const work = workFor();
  const { plan, software } = work;
  const page = await finishPage(testPage(), 1, {
    ...work,
    plan: { ...plan, blank: true, patch: true },
    software: { ...software, blank, patch },
  });
  t.same([page.blank, page.patch], [undefined, undefined]);
  t.match(work.notes, [{ code: 'blank-failed' }, { code: 'patch-failed' }]);
});

t.test('recognisers: loaded but not requested, not called', async t => {
  const [barcode, ocr] = [fakeRecogniser('barcode'), fakeRecogniser('ocr')];
  const work = workFor();
  await finishPage(testPage(), 1, { ...work, software: { ...work.software, barcode, ocr } });
  t.same([barcode.reads, ocr.reads], [0, 0]);
});

t.test('encoding: fails, an internal error that names the page', async t => {
  const format = fakeFormat({ name: 'Png', fails: new Error('no memory') });
  await t.rejects(finishPage(testPage(), 2, workFor({ format })), {
    code: 'internal',
    message: /Page 2 .*Png.*no memory/,
  });
});

t.test(
  'finish: a large page is freed when all have done with it, and not while one that failed may use it',
  async t => {
    const size = { width: 2000, height: 1000, pixels: 'gray8' } as const;
    const wishes = { barcode: fakeRecogniser('barcode'), ocr: fakeRecogniser('ocr') };
    const sound = testPage(size);
    t.match(await finishPage(sound, 1, workFor(wishes)), { ocrText: fakeText, barcodes: fakeBarcodes });
    t.equal(sound.data.byteLength, 0);
    const failing = fakeRecogniser('ocr', { fails: new Error('late') });
    const used = testPage(size);
    const work = workFor({ ...wishes, ocr: failing });
    await finishPage(used, 1, work);
    t.match(work.notes, [{ code: 'ocr-failed' }]);
    t.equal(used.data.byteLength, 2_000_000);
    const failingStep: Processor = { ...fakeProcessor('deskew'), apply: () => Promise.reject(new Error('late')) };
    await finishPage(used, 1, workFor({ processors: [failingStep], adjustments: ['deskew'] }));
    t.equal(used.data.byteLength, 2_000_000);
  },
);
