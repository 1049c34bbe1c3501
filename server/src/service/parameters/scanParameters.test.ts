/** The options that the parameters of both scan calls mean. */
import { fakeFormat, fakeRecogniser } from '@platen/conformance';
import { createRegistry, type Format } from '@platen/core';
import t from 'tap';
import {
  optionsFromDirect,
  optionsFromSimple,
  type DirectParameters,
  type Parameters,
  type Vocabulary,
} from './scanParameters.js';

const aliases = { Png: ['png'], Jpeg: ['jpeg', 'jpg'], Tiff: ['tiff', 'tif'], Bmp: ['bmp'] };
const all: readonly Format[] = Object.entries(aliases).map(([name, own]) => fakeFormat({ name, aliases: own }));
const registry = createRegistry();
registry.add('fakes', {
  formats: all,
  recognisers: [{ kind: 'stamp', wishes: {}, read: async () => null }, fakeRecogniser('barcode')],
  processors: [{ name: 'despeckle', options: {}, apply: async page => ({ page, applied: false }) }],
});
const loaded: Vocabulary = registry;

/** No value is a default. */
const given: Required<Omit<Parameters, 'imageFormat' | 'profile'>> = {
  resolution: 300,
  colorMode: 'Color',
  duplexMode: 'DuplexLongEdge',
  pageSize: 'A5',
  autoRotate: true,
  autoDeskew: true,
  autoCrop: true,
  jpegQuality: 7,
  barcodeReadingEnabled: true,
  barcodeFilterLevel: 'High',
  barcodeFormats: ['QrCode'],
  barcodeStopAfterFirst: true,
  ocrEnabled: true,
  blankPages: 'drop',
  recognise: { stamp: { least: 1 } },
  process: { despeckle: { radius: 1 } },
  readers: { barcode: 'fakes' },
  requestTimeoutSeconds: 9,
  source: 'Flatbed',
  sheets: 4,
  area: { x: 1, y: 2, width: 30, height: 40 },
  brightness: 5,
  contrast: -5,
  threshold: 99,
  driverOptions: { lamp: 'warm' },
  transferMode: 'Native',
  report: true,
};

t.test('optionsFromDirect: each name of outputFormat gives its format; absent, PNG', async t => {
  const formats = Object.values(aliases)
    .flat()
    .map(outputFormat => optionsFromDirect({ outputFormat }, loaded).format);
  t.same(formats, ['Png', 'Jpeg', 'Jpeg', 'Tiff', 'Tiff', 'Bmp']);
  t.equal(optionsFromDirect({}, loaded).format, 'Png');
});

t.test('optionsFromDirect: all other parameters as in optionsFromSimple', async t => {
  t.same(optionsFromDirect({}, loaded), optionsFromSimple({}, loaded));
  t.same(
    optionsFromDirect({ ...given, outputFormat: 'tif' }, loaded),
    optionsFromSimple({ ...given, imageFormat: 'Tiff' }, loaded),
  );
});

t.test('options: each parameter has an effect', async t => {
  for (const name of Object.keys(given)) {
    const { [name]: _, ...others } = { ...given } as Record<string, unknown>;
    t.strictNotSame(optionsFromSimple(others, loaded), optionsFromSimple(given, loaded), name);
  }
});

t.test('options: a given control is passed on under its name', async t => {
  const { area, brightness, contrast, threshold, driverOptions, transferMode } = given;
  const controls = { area, brightness, contrast, threshold, driverOptions, transferMode };
  t.strictSame(optionsFromSimple(given, loaded).controls, controls);
  t.match(optionsFromSimple(given, loaded), { source: 'Flatbed', sheets: 4, given: Object.keys(given) });
  t.strictSame(optionsFromSimple({}, loaded).controls, {});
});

t.test('optionsFromDirect: imageFormat is ignored', async t => {
  t.equal(optionsFromDirect({ imageFormat: 'Jpeg' } as DirectParameters, loaded).format, 'Png');
});

t.test('options: a format that is not loaded, rejected with the accepted names', async t => {
  const [png, , tiff] = all as [Format, Format, Format];
  t.throws(() => optionsFromDirect({ outputFormat: 'jpg' }, { ...loaded, formats: [png, tiff] }), {
    code: 'invalid-value',
    field: 'outputFormat',
    allowed: ['png', 'tiff', 'tif'],
  });
  t.throws(() => optionsFromDirect({}, { ...loaded, formats: [tiff] }), {
    code: 'invalid-value',
    field: 'outputFormat',
    allowed: ['tiff', 'tif'],
  });
  t.throws(() => optionsFromSimple({}, { ...loaded, formats: [tiff] }), {
    code: 'invalid-value',
    field: 'imageFormat',
    allowed: ['Tiff'],
  });
});

t.test('options: a loaded format with a name of its own, by its name and aliases', async t => {
  const formats = [...all, fakeFormat({ name: 'Webp', aliases: ['webp', 'wp'] })];
  for (const name of ['Webp', 'WEBP', 'wp']) {
    t.equal(optionsFromSimple({ imageFormat: name }, { ...loaded, formats }).format, 'Webp', name);
    t.equal(optionsFromDirect({ outputFormat: name }, { ...loaded, formats }).format, 'Webp', name);
  }
});
