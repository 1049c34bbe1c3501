/** The parameters of the TWAIN Direct style scan. */
import { fakeFormat } from '@platen/conformance';
import type { Format } from '@platen/core';
import t from 'tap';
import { optionsFromDirect } from './optionsFromDirect.js';
import { optionsFromSimple } from './optionsFromSimple.js';
import { outputFormats, type DirectParameters } from './schemas.js';

const all: readonly Format[] = ['Png', 'Jpeg', 'Tiff', 'Bmp'].map(name => fakeFormat({ name }));

t.test('each name of outputFormat is a format; PNG where none is said', async t => {
  const formats = Object.keys(outputFormats).map(outputFormat => optionsFromDirect({ outputFormat } as DirectParameters, all).format);
  t.same(formats, ['Png', 'Jpeg', 'Jpeg', 'Tiff', 'Tiff', 'Bmp']);
  t.equal(optionsFromDirect({}, all).format, 'Png');
});

t.test('all other parameters have the same names and the same defaults', async t => {
  t.same(optionsFromDirect({}, all), optionsFromSimple({}));
  const parameters = {
    resolution: 300, colorMode: 'Color', duplexMode: 'DuplexLongEdge', pageSize: 'A5', autoRotate: true, autoDeskew: true, autoCrop: true, jpegQuality: 7, barcodeReadingEnabled: true,
    barcodeFilterLevel: 'High', barcodeFormats: ['QrCode'], barcodeStopAfterFirst: true, ocrEnabled: true, requestTimeoutSeconds: 9, transferMode: 'Native', report: true,
  } as const;
  const given = { ...parameters, barcodeFormats: ['QrCode' as const] };
  t.same(optionsFromDirect({ ...given, outputFormat: 'tif' }, all), optionsFromSimple({ ...given, imageFormat: 'Tiff' }));
});

t.test('imageFormat is no parameter here', async t => {
  t.equal(optionsFromDirect({ imageFormat: 'Jpeg' } as DirectParameters, all).format, 'Png');
});

t.test('a format that is not loaded is refused, by the names that a client may send', async t => {
  const [png, , tiff] = all as [Format, Format, Format];
  t.throws(() => optionsFromDirect({ outputFormat: 'jpg' }, [png, tiff]), { code: 'invalid-value', field: 'outputFormat', message: 'outputFormat takes one of png, tiff: jpg is not installed' });
  t.throws(() => optionsFromDirect({}, [tiff]), { code: 'invalid-value', field: 'outputFormat', message: 'outputFormat takes one of tiff: png is not installed' });
});
