/** The options that the parameters of both scan calls mean. */
import { fakeFormat } from '@platen/conformance';
import type { Format } from '@platen/core';
import t from 'tap';
import {
  optionsFromDirect,
  optionsFromSimple,
  outputFormats,
  type DirectParameters,
  type Parameters,
} from './parameters.js';

const all: readonly Format[] = ['Png', 'Jpeg', 'Tiff', 'Bmp'].map(name => fakeFormat({ name }));

/** No value is a default. */
const given: Required<Omit<Parameters, 'imageFormat'>> = {
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
  requestTimeoutSeconds: 9,
  transferMode: 'Native',
  report: true,
};

t.test('optionsFromDirect: each name of outputFormat gives its format; absent, PNG', async t => {
  const formats = Object.keys(outputFormats).map(
    outputFormat => optionsFromDirect({ outputFormat } as DirectParameters, all).format,
  );
  t.same(formats, ['Png', 'Jpeg', 'Jpeg', 'Tiff', 'Tiff', 'Bmp']);
  t.equal(optionsFromDirect({}, all).format, 'Png');
});

t.test('optionsFromDirect: all other parameters as in optionsFromSimple', async t => {
  t.same(optionsFromDirect({}, all), optionsFromSimple({}));
  t.same(
    optionsFromDirect({ ...given, outputFormat: 'tif' }, all),
    optionsFromSimple({ ...given, imageFormat: 'Tiff' }),
  );
});

t.test('options: each parameter has an effect', async t => {
  for (const name of Object.keys(given)) {
    const { [name]: _, ...others } = { ...given } as Record<string, unknown>;
    t.strictNotSame(optionsFromSimple(others), optionsFromSimple(given), name);
  }
});

t.test('options: a given control is passed on under its name', async t => {
  t.strictSame(optionsFromSimple(given).controls, { transferMode: 'Native' });
  t.strictSame(optionsFromSimple({}).controls, {});
});

t.test('optionsFromDirect: imageFormat is ignored', async t => {
  t.equal(optionsFromDirect({ imageFormat: 'Jpeg' } as DirectParameters, all).format, 'Png');
});

t.test('optionsFromDirect: a format that is not loaded, rejected with the accepted names', async t => {
  const [png, , tiff] = all as [Format, Format, Format];
  t.throws(() => optionsFromDirect({ outputFormat: 'jpg' }, [png, tiff]), {
    code: 'invalid-value',
    field: 'outputFormat',
    message: 'outputFormat takes one of png, tiff: jpg is not installed',
  });
  t.throws(() => optionsFromDirect({}, [tiff]), {
    code: 'invalid-value',
    field: 'outputFormat',
    message: 'outputFormat takes one of tiff: png is not installed',
  });
});
