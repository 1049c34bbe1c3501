/** A page's report on each requested option: done by the device, in software, or not done and why. */
import { fakeFormat, fakeProcessor, testPage } from '@platen/conformance';
import t from 'tap';
import type { RawPage } from '../contract/page.js';
import type { Processor } from '../contract/processor.js';
import type { SourceCapabilities } from '../contract/driver.js';
import { finishPage } from './finish.js';
import { planScan, type PlanInput } from './plan.js';
import type { ScanNote } from './notes.js';
import type { Reported } from './report.js';
import type { ScanOptions } from './scanOptions.js';

const plain: ScanOptions = {
  duplexMode: 'Simplex',
  pageSize: 'A4',
  autoRotate: false,
  autoDeskew: false,
  autoCrop: false,
  format: 'Png',
  quality: 90,
  ocr: false,
  timeoutSeconds: 0,
  report: true,
};
const feeder: SourceCapabilities = {
  resolutions: [200, 300],
  colorModes: ['Color', 'Grayscale'],
  duplex: true,
  pageSizes: ['Letter', 'A4'],
  adjustments: ['deskew'],
};

interface Given {
  readonly options: Partial<ScanOptions>;
  readonly page?: RawPage;
  readonly processors?: readonly Processor[];
  readonly more?: Partial<SourceCapabilities>;
  readonly device?: Partial<PlanInput['device']>;
  /** Gets the notes of the page. */
  note?(note: ScanNote): void;
}

async function report({
  options,
  page = testPage({ dpi: 200, pixels: 'gray8' }),
  processors = [],
  more = {},
  device = {},
  note = () => undefined,
}: Given): Promise<readonly Reported[]> {
  const software = { processors, formats: [fakeFormat({ name: 'Png' })], barcode: undefined, ocr: undefined };
  const plan = planScan({
    device: {
      id: 'a',
      name: 'A',
      manufacturer: 'M',
      model: 'A',
      online: true,
      feeder: true,
      flatbed: false,
      duplex: true,
      feeding: 'perSheet',
      ...device,
    },
    capabilities: { feeder: { ...feeder, ...more } },
    paper: 'loaded',
    options: { ...plain, ...options },
    software,
    maxPixels: 1e9,
    note: () => undefined,
  });
  return (
    await finishPage(page, 1, {
      plan,
      software,
      call: { signal: new AbortController().signal },
      driver: 'fake',
      note,
    })
  ).report;
}

const size: Reported = { parameter: 'pageSize', requested: 'A4', result: 'applied' };

t.test('report: nothing requested, the page size only', async t => {
  t.same(await report({ options: {} }), [size]);
});

t.test('report: resolution, colour mode and page size, applied or ignored with the reason', async t => {
  t.same(await report({ options: { resolution: 200, colorMode: 'Grayscale' } }), [
    { parameter: 'resolution', requested: 200, result: 'applied' },
    { parameter: 'colorMode', requested: 'Grayscale', result: 'applied' },
    size,
  ]);
  const other = testPage({ dpi: 150, pixels: 'gray8' });
  t.match(await report({ options: { resolution: 200 }, page: other }), [
    { result: 'ignored', why: 'the page was scanned at 150 dpi' },
  ]);
  t.match(await report({ options: { pageSize: 'A5' } }), [
    { parameter: 'pageSize', requested: 'A5', result: 'ignored', why: 'the page was scanned at Letter' },
  ]);
  t.match(await report({ options: {}, device: { traits: { ignoresPageSize: true } } }), [
    { result: 'ignored', why: /applies no page size/ },
  ]);
  const emulated = await report({ options: { colorMode: 'BlackAndWhite' }, processors: [fakeProcessor('color')] });
  t.match(emulated, [{ parameter: 'colorMode', requested: 'BlackAndWhite', result: 'emulated' }]);
  const failed = await report({
    options: { colorMode: 'BlackAndWhite' },
    processors: [fakeProcessor('color', { fails: new Error('no memory') })],
  });
  t.match(failed, [{ parameter: 'colorMode', result: 'ignored', why: 'no memory' }]);
  t.match(
    await report({ options: { colorMode: 'Color' } }),
    [{ result: 'ignored', why: /./ }],
    'a device that delivers less than it said',
  );
});

t.test('report: adjustments, by the device, in software or not done', async t => {
  const options = { autoRotate: true, autoDeskew: true, autoCrop: true };
  const page: RawPage = { ...testPage({ dpi: 200, pixels: 'gray8' }), adjusted: ['deskew'] };
  t.match(await report({ options, page, processors: [fakeProcessor('crop')] }), [
    size,
    {
      parameter: 'autoRotate',
      requested: true,
      result: 'ignored',
      why: /plugin/,
    },
    { parameter: 'autoDeskew', requested: true, result: 'applied' },
    { parameter: 'autoCrop', requested: true, result: 'emulated' },
  ]);
  const idle: Processor = {
    adjustment: 'rotate',
    apply: async given => ({ page: given, applied: false, why: 'the page is upright already' }),
  };
  t.match(await report({ options: { autoRotate: true }, processors: [idle] }), [
    size,
    { result: 'ignored', why: 'the page is upright already' },
  ]);
});

t.test('report: duplex, turned backs, and a scanner that scans one side only', async t => {
  const back = testPage({ dpi: 200, pixels: 'gray8', side: 'back' });
  const options = { duplexMode: 'DuplexShortEdge' } as const;
  t.match(await report({ options, page: back, processors: [fakeProcessor('turn')] }), [
    { parameter: 'duplexMode', requested: 'DuplexShortEdge', result: 'emulated' },
  ]);
  t.match(await report({ options, page: { ...back, adjusted: ['turn'] } }), [{ result: 'applied' }]);
  t.match(await report({ options, page: back }), [{ result: 'ignored', why: /plugin/ }]);
  t.match(await report({ options, page: { ...back, side: 'front' } }), [{ result: 'applied' }]);
  t.match(await report({ options: { duplexMode: 'DuplexLongEdge' }, page: back }), [
    { requested: 'DuplexLongEdge', result: 'applied' },
  ]);
});

t.test('report: barcodes and text without a recogniser, ignored with the reason', async t => {
  const barcode = { filterLevel: 'Normal', formats: [], stopAfterFirst: false } as const;
  t.match(await report({ options: { barcode, ocr: true } }), [
    size,
    { parameter: 'barcodeReadingEnabled', result: 'ignored', why: /plugin/ },
    { parameter: 'ocrEnabled', result: 'ignored', why: /plugin/ },
  ]);
});

t.test('report: controls, by the device, in software or not done; options of the driver; the source', async t => {
  const area = { x: 1, y: 2.5, width: 30, height: 40 };
  const options: Partial<ScanOptions> = {
    source: 'Feeder',
    controls: { area, brightness: 9, contrast: 0, threshold: 7, driverOptions: { lamp: 'warm' } },
  };
  const more: Partial<SourceCapabilities> = {
    controls: ['area'],
    area: { width: 210, height: 297 },
    driverOptions: [{ name: 'lamp', type: 'string' }],
  };
  const page: RawPage = { ...testPage({ dpi: 200, pixels: 'gray8', width: 236, height: 315 }), adjusted: ['area'] };
  t.same(await report({ options, more, page, processors: [fakeProcessor('brightness')] }), [
    { parameter: 'source', requested: 'Feeder', result: 'applied' },
    { parameter: 'area', requested: '1,2.5,30x40', result: 'applied' },
    { parameter: 'brightness', requested: 9, result: 'emulated' },
    { parameter: 'contrast', requested: 0, result: 'applied' },
    {
      parameter: 'threshold',
      requested: 7,
      result: 'ignored',
      why: 'the page was not requested in BlackAndWhite',
    },
    { parameter: 'driverOptions.lamp', requested: 'warm', result: 'applied' },
  ]);
  const its = async (width: number, height: number, result: string) => {
    const other: RawPage = { ...testPage({ dpi: 200, pixels: 'gray8', width, height }), adjusted: ['area'] };
    const notes: ScanNote[] = [];
    const found = await report({ options, more, page: other, note: note => void notes.push(note) });
    t.match(found, [{}, { parameter: 'area', result }], `${width} x ${height}`);
    t.match(notes, result === 'applied' ? { length: 0 } : [{ code: 'area-changed', field: 'area' }]);
  };
  await its(237, 314, 'applied');
  await its(315, 236, 'applied');
  await its(236, 200, 'ignored');
  const cropped = await report({ options: { ...options, autoCrop: true }, more, page });
  t.match(
    cropped.find(each => each.parameter === 'autoCrop'),
    { result: 'ignored', why: /area/ },
  );
  const sheets = { parameter: 'sheets', requested: 2 };
  const stopped = await report({ options: { sheets: 2 } });
  t.match(stopped, [{ ...sheets, result: 'emulated' }, size], 'core stops a device that does not count');
  t.match(await report({ options: { sheets: 2 }, more: { controls: ['sheets'] } }), [
    { ...sheets, result: 'applied' },
    size,
  ]);
  const nobody = await report({ options: { controls: { area } } });
  t.match(nobody, [{ parameter: 'area', result: 'ignored', why: /plugin/ }]);
});

t.test('report: a threshold in software reduces the page, and `color` is not needed', async t => {
  const reduce: Processor = {
    adjustment: 'threshold',
    apply: async (given, { threshold }) => ({ page: { ...given, pixels: 'bw1' }, applied: threshold === 99 }),
  };
  const color = fakeProcessor('color');
  const given = { colorMode: 'BlackAndWhite', controls: { threshold: 99 } } as const;
  t.match(await report({ options: given, processors: [reduce, color] }), [
    { parameter: 'colorMode', result: 'emulated' },
    size,
    { parameter: 'threshold', requested: 99, result: 'emulated' },
  ]);
  t.equal(color.applies, 0);
});
