/**
 * How options become an order and software steps: defaults, nearest values, and rejections that name the allowed
 * values.
 */
import { fakeFormat, fakeProcessor, fakeRecogniser } from '@platen/conformance';
import t from 'tap';
import type { Capabilities, Device, SourceCapabilities } from '../contract/driver.js';
import type { NoteCode, ScanNote } from './notes.js';
import { planScan, type PlanInput, type ScanPlan } from './plan.js';
import type { ScanOptions } from './scanOptions.js';

const device: Device = {
  id: 'a',
  name: 'A',
  manufacturer: 'M',
  model: 'A',
  online: true,
  feeder: true,
  flatbed: true,
  duplex: true,
  feeding: 'perSheet',
};
const feeder: SourceCapabilities = {
  resolutions: [100, 200, 300],
  colorModes: ['Color', 'Grayscale', 'BlackAndWhite'],
  duplex: true,
  pageSizes: ['Letter', 'Legal', 'A4', 'A5', 'Auto'],
  adjustments: [],
};
const flatbed: SourceCapabilities = { ...feeder, duplex: false };
const options: ScanOptions = {
  duplexMode: 'Simplex',
  pageSize: 'Letter',
  autoRotate: false,
  autoDeskew: false,
  autoCrop: false,
  format: 'Png',
  quality: 90,
  ocr: false,
  timeoutSeconds: 0,
  report: false,
};
const png = fakeFormat({ name: 'Png' });
const plain: PlanInput['software'] = { processors: [], formats: [png], barcode: undefined, ocr: undefined };
const barcode = { filterLevel: 'Normal', formats: [], stopAfterFirst: false } as const;

interface Given {
  readonly options?: Partial<ScanOptions>;
  readonly capabilities?: Capabilities;
  readonly paper?: PlanInput['paper'];
  readonly software?: Partial<PlanInput['software']>;
  readonly device?: Partial<Device>;
  readonly maxPixels?: number;
}

function plan(given: Given): ScanPlan & { notes: NoteCode[] } {
  const notes: NoteCode[] = [];
  const made = planScan({
    device: { ...device, ...given.device },
    capabilities: given.capabilities ?? { feeder },
    paper: given.paper ?? 'unknown',
    options: { ...options, ...given.options },
    software: { ...plain, ...given.software },
    maxPixels: given.maxPixels ?? 1e9,
    note: ({ code }) => void notes.push(code),
  });
  return { ...made, notes };
}

const only = (more: Partial<SourceCapabilities>): Capabilities => ({ feeder: { ...feeder, ...more } });

t.test('plan: no options, the defaults', async t => {
  t.same(plan({}), {
    options,
    order: {
      source: 'feeder',
      resolution: 200,
      colorMode: 'Grayscale',
      duplexMode: 'Simplex',
      pageSize: 'Letter',
      adjustments: [],
      lossless: true,
      maxPixels: 1e9,
    },
    colorMode: 'Grayscale',
    format: png,
    quality: 90,
    adjustments: [],
    controls: {},
    barcode: undefined,
    ocr: false,
    blank: false,
    patch: false,
    finders: [],
    processors: [],
    notes: [],
  });
  t.equal(plan({ options: { controls: { transferMode: 'Buffered' } } }).order.transferMode, 'Buffered');
});

t.test('plan: the output format is lossless, the device is asked for lossless pages', async t => {
  const jpeg = fakeFormat({ name: 'Jpeg', mimeType: 'image/jpeg' });
  const orderOf = (options: Partial<ScanOptions>) => plan({ options, software: { formats: [png, jpeg] } }).order;
  t.equal(orderOf({ format: 'Png' }).lossless, true);
  t.notOk('lossless' in orderOf({ format: 'Jpeg', colorMode: 'Color' }));
  t.equal(orderOf({ format: 'Jpeg', colorMode: 'BlackAndWhite' }).lossless, true);
});

t.test('plan: resolution and colour mode omitted, the nearest and the richest, without notes', async t => {
  t.equal(plan({ capabilities: only({ resolutions: [75, 150, 600] }) }).order.resolution, 150);
  t.equal(
    plan({ capabilities: only({ resolutions: [300, 100] }) }).order.resolution,
    300,
    'two are equally near: the first listed',
  );
  t.match(plan({ capabilities: only({ colorModes: ['Color', 'BlackAndWhite'] }) }), {
    colorMode: 'Color',
    order: { colorMode: 'Color' },
    notes: [],
  });
  t.match(plan({ capabilities: only({ colorModes: ['BlackAndWhite'] }) }), { colorMode: 'BlackAndWhite', notes: [] });
});

const refused: Record<string, [given: Given, field: string, message: string]> = {
  'a resolution that the scanner lacks': [
    { options: { resolution: 250 } },
    'resolution',
    'resolution takes one of 100, 200, 300 on this scanner',
  ],
  'a resolution that neither source has': [
    { options: { resolution: 250 }, capabilities: { feeder, flatbed: { ...flatbed, resolutions: [600, 100] } } },
    'resolution',
    'resolution takes one of 100, 200, 300, 600 on this scanner',
  ],
  'a colour mode that the scanner lacks': [
    { options: { colorMode: 'Color' }, capabilities: only({ colorModes: ['BlackAndWhite', 'Grayscale'] }) },
    'colorMode',
    'colorMode takes one of Grayscale, BlackAndWhite on this scanner',
  ],
  'a colour mode that software can only make of a richer one': [
    {
      options: { colorMode: 'Color' },
      capabilities: only({ colorModes: ['Grayscale'] }),
      software: { processors: [fakeProcessor('color')] },
    },
    'colorMode',
    'colorMode takes one of Grayscale, BlackAndWhite on this scanner',
  ],
  'duplex where there is one side': [
    { options: { duplexMode: 'DuplexLongEdge' }, capabilities: only({ duplex: false }) },
    'duplexMode',
    'duplexMode takes Simplex on this scanner: it scans one side only',
  ],
  'a format that is not installed': [
    { options: { format: 'Tiff' }, software: { formats: [png, fakeFormat({ name: 'Jpeg' })] } },
    'imageFormat',
    'imageFormat takes one of Png, Jpeg: Tiff is not installed',
  ],
  'more pixels than memory allows': [
    { options: { resolution: 300, pageSize: 'A4' }, maxPixels: 5_000_000 },
    'resolution',
    "resolution takes at most 227 for A4: the configuration's memory.maxPixels allows 5000000 pixels a page",
  ],
  'more pixels on the size that is scanned instead': [
    {
      options: { pageSize: 'Legal', resolution: 300 },
      capabilities: only({ pageSizes: ['A3'] }),
      maxPixels: 10_000_000,
    },
    'resolution',
    /^resolution takes at most \d+ for A3: /.source,
  ],
};
for (const [name, [given, field, message]] of Object.entries(refused)) {
  t.test(`plan: ${name}, rejected`, async t => {
    t.throws(() => plan(given), {
      code: 'invalid-value',
      field,
      message: message.startsWith('^') ? new RegExp(message) : message,
    });
  });
}

t.test('plan: the limit that a rejection names, accepted', async t => {
  t.equal(
    plan({
      options: { resolution: 227, pageSize: 'A4' },
      capabilities: only({ resolutions: [227] }),
      maxPixels: 5_000_000,
    }).order.resolution,
    227,
  );
  t.doesNotThrow(
    () => plan({ options: { pageSize: 'Auto' }, maxPixels: 1 }),
    'the size of a detected sheet is unknown',
  );
});

t.test('source: named in every order; the feeder unless it is known to be empty and there is a flatbed', async t => {
  const both = { feeder, flatbed };
  for (const paper of ['loaded', 'unknown'] as const)
    t.equal(plan({ capabilities: both, paper }).order.source, 'feeder', paper);
  t.equal(plan({ capabilities: both, paper: 'empty' }).order.source, 'flatbed');
  t.equal(plan({ capabilities: { feeder }, paper: 'empty' }).order.source, 'feeder', 'a feeder alone');
  for (const paper of ['loaded', 'unknown'] as const)
    t.equal(plan({ capabilities: { flatbed }, paper }).order.source, 'flatbed', 'a flatbed alone');
  t.throws(() => plan({ capabilities: {} }), { code: 'driver-failed', message: /flatbed/ });
});

t.test('resolution, colorMode: only the other source has the value, the nearest of this one with a note', async t => {
  const capabilities = {
    feeder: { ...feeder, colorModes: ['Grayscale', 'BlackAndWhite'] as const },
    flatbed: { ...flatbed, resolutions: [600, 1200] },
  };
  t.match(plan({ capabilities, paper: 'loaded', options: { resolution: 1200 } }), {
    order: { resolution: 300 },
    notes: ['resolution-changed'],
  });
  t.match(plan({ capabilities, paper: 'loaded', options: { colorMode: 'Color' } }), {
    colorMode: 'Grayscale',
    notes: ['color-mode-changed'],
  });
  const poor = { feeder: { ...feeder, colorModes: ['Color'] as const }, flatbed };
  t.match(plan({ capabilities: poor, paper: 'loaded', options: { colorMode: 'BlackAndWhite' } }), {
    colorMode: 'Color',
    notes: ['color-mode-changed'],
  });
  t.match(plan({ capabilities: { feeder, flatbed }, paper: 'empty', options: { duplexMode: 'DuplexShortEdge' } }), {
    order: { source: 'flatbed', duplexMode: 'Simplex' },
    adjustments: [],
    notes: ['one-side-only'],
  });
});

t.test('pageSize: supported, smaller, larger or unsupported, the nearest size that holds it', async t => {
  const sized = (pageSize: ScanOptions['pageSize'], pageSizes: SourceCapabilities['pageSizes'], more: Given = {}) =>
    plan({ options: { pageSize }, capabilities: only({ pageSizes }), ...more });
  t.match(sized('Legal', ['A4', 'Legal']), { order: { pageSize: 'Legal' }, notes: [] });
  t.match(
    sized('A5', ['Legal', 'A3', 'A4']),
    { order: { pageSize: 'A4' }, notes: ['page-size-changed'] },
    'the smallest that holds it',
  );
  t.match(sized('Letter', ['A6', 'A5', 'Auto']), { order: { pageSize: 'A5' }, notes: ['page-size-changed'] });
  t.match(
    sized('A4', ['Letter']),
    { order: { pageSize: 'Letter' }, notes: ['page-size-changed'] },
    'a longer size is larger, even if narrower',
  );
  t.match(sized('Letter', ['Auto']), { order: { pageSize: 'Auto' }, notes: ['page-size-changed'] });
  t.match(sized('Auto', ['A5', 'Auto']), { order: { pageSize: 'Auto' }, notes: [] });
  t.match(sized('Auto', ['A4', 'A5']), { order: { pageSize: 'A4' }, notes: [] }, 'nothing is detected: the whole area');
  t.match(sized('Auto', []), { order: { pageSize: 'Auto' }, notes: [] });
  const ignores = { device: { traits: { ignoresPageSize: true } } };
  t.match(sized('Legal', ['A5'], ignores), { order: { pageSize: 'Legal' }, notes: ['page-size-ignored'] });
  t.match(
    sized('Letter', ['A5'], ignores),
    { order: { pageSize: 'Letter' }, notes: [] },
    'the default, sent by clients without a preference',
  );
});

t.test('colorMode: missing but reducible in software, a richer mode is ordered', async t => {
  const software = { processors: [fakeProcessor('color')] };
  const asked = (colorMode: 'Grayscale' | 'BlackAndWhite', colorModes: SourceCapabilities['colorModes']) =>
    plan({ options: { colorMode }, capabilities: only({ colorModes }), software });
  t.match(asked('Grayscale', ['Color']), { colorMode: 'Grayscale', order: { colorMode: 'Color' }, notes: [] });
  t.match(asked('BlackAndWhite', ['Color', 'Grayscale']), {
    colorMode: 'BlackAndWhite',
    order: { colorMode: 'Grayscale' },
  });
  t.match(asked('BlackAndWhite', ['Color']), { colorMode: 'BlackAndWhite', order: { colorMode: 'Color' } });
  t.match(asked('Grayscale', ['Color', 'BlackAndWhite']), { colorMode: 'Grayscale', order: { colorMode: 'Color' } });
});

t.test('adjustments: the device’s own are ordered; software or a note covers the rest', async t => {
  const all = { autoRotate: true, autoDeskew: true, autoCrop: true, duplexMode: 'DuplexShortEdge' } as const;
  const made = plan({
    options: all,
    capabilities: only({ adjustments: ['crop'] }),
    software: { processors: [fakeProcessor('deskew')] },
  });
  t.same(made.adjustments, ['turn', 'rotate', 'deskew', 'crop']);
  t.same(made.order.adjustments, ['crop']);
  t.same(made.notes, ['backs-not-turned', 'adjustment-ignored']);
  t.same(plan({ options: all }).notes, [
    'backs-not-turned',
    'adjustment-ignored',
    'adjustment-ignored',
    'adjustment-ignored',
  ]);
  t.same(plan({ options: { duplexMode: 'DuplexLongEdge' } }).adjustments, []);
});

t.test('recognition: requested but not installed, a note', async t => {
  const asked = { barcode, ocr: true, blankPages: 'drop' } as const;
  t.match(plan({ options: asked }), {
    barcode: undefined,
    ocr: false,
    blank: false,
    notes: ['barcodes-not-installed', 'ocr-not-installed', 'blank-pages-not-installed'],
  });
  t.match(plan({ options: asked, software: { barcode: fakeRecogniser('barcode'), ocr: fakeRecogniser('ocr') } }), {
    barcode,
    ocr: true,
    notes: [],
  });
  t.match(
    plan({ software: { barcode: fakeRecogniser('barcode'), ocr: fakeRecogniser('ocr') } }),
    { barcode: undefined, ocr: false },
    'only on request',
  );
});

t.test('capabilities: unusable, driver-failed and not invalid-value', async t => {
  t.throws(() => plan({ capabilities: only({ resolutions: [] }) }), {
    code: 'driver-failed',
    message: 'The driver lists no resolution.',
  });
  t.throws(() => plan({ capabilities: only({ colorModes: [] }) }), {
    code: 'driver-failed',
    message: 'The driver lists no colour mode.',
  });
});

t.test('notes: a text that begins with a field, has that field and the rest of the text', async t => {
  const notes: ScanNote[] = [];
  const capabilities = only({ pageSizes: ['A4'] });
  planScan({
    device,
    capabilities,
    paper: 'loaded',
    options: { ...options, pageSize: 'A5', autoCrop: true, ocr: true },
    software: plain,
    maxPixels: 1e9,
    note: note => void notes.push(note),
  });
  t.match(
    notes.map(({ code, field }) => [code, field]),
    [
      ['page-size-changed', 'pageSize'],
      ['adjustment-ignored', 'autoCrop'],
      ['ocr-not-installed', 'ocrEnabled'],
    ],
  );
  for (const { field, says, text } of notes) t.equal(says === undefined || text === `${field} ${says}`, true, text);
  t.match(
    notes.map(({ says }) => says),
    [/A4/, /plugin/, undefined],
  );
});
