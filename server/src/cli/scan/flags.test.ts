/** Flags mean the same as the interface's parameters, and errors use the flags' names. */
import { fakeFormat } from '@platen/conformance';
import { InvalidValue, ScanError } from '@platen/core';
import t from 'tap';
import { DirectParameters, optionsFromDirect } from '../../http/dto/parameters.js';
import { asUsage, noteInFlags, parametersOf, wishFlags, withDuplexEdge, type FlagValues } from './flags.js';

const refused: readonly (readonly [FlagValues, string])[] = [
  [{ dpi: 'fine' }, '--dpi takes an integer of at least 1.'],
  [{ dpi: '300dpi' }, '--dpi takes an integer of at least 1.'],
  [{ dpi: '150.5' }, '--dpi takes an integer of at least 1.'],
  [{ dpi: '' }, '--dpi takes an integer of at least 1.'],
  [{ dpi: '0' }, '--dpi takes an integer of at least 1.'],
  [{ dpi: '-300' }, '--dpi takes an integer of at least 1.'],
  [{ color: 'sepia' }, '--color takes one of Color, Grayscale, BlackAndWhite.'],
  [{ duplex: 'both' }, '--duplex takes one of simplex, long, short.'],
  [{ duplex: 'constructor' }, '--duplex takes one of simplex, long, short.'],
  [{ size: 'A3' }, '--size takes one of Letter, Legal, A4, A5, A6, B5, Auto.'],
  [{ format: 'gif' }, '--format takes one of png, jpeg, jpg, tiff, tif, bmp.'],
  [{ quality: '101' }, '--quality takes an integer from 1 to 100.'],
  [{ 'barcode-filter': 'none' }, '--barcode-filter takes one of Low, Normal, High, VeryHigh.'],
  [
    { 'barcode-formats': 'QrCode,Qr' },
    '--barcode-formats takes one of Pdf417, QrCode, DataMatrix, Aztec, Code128, Code39, Code93, Ean13, Ean8, UpcA, UpcE, Itf, Codabar.',
  ],
  [{ 'transfer-mode': 'fast' }, '--transfer-mode takes one of Auto, Native, Buffered.'],
  [{ timeout: '-1' }, '--timeout takes an integer of at least 0.'],
  [{ timeout: 'soon' }, '--timeout takes an integer of at least 0.'],
  [{ 'blank-pages': 'no' }, '--blank-pages takes one of keep, flag, drop.'],
  [{ 'keep-separators': true }, '--keep-separators needs --separate blank, barcode or patch.'],
  [{ 'keep-separators': true, separate: 'count:2' }, '--keep-separators needs --separate blank, barcode or patch.'],
];

t.test('flags: a rejected value, the error names the flag and the accepted values', async t => {
  for (const [values, message] of refused)
    t.throws(() => parametersOf(values), { name: 'ConfigError', code: 'usage', message }, JSON.stringify(values));
});

t.test('flags: --separate, its ways and what each takes', async t => {
  const separateOf = (separate: string) => parametersOf({ separate }).separate;
  t.same(separateOf('Blank'), { by: 'blank' });
  t.same(separateOf('barcode'), { by: 'barcode' });
  t.same(separateOf('barcode:INV: *'), { by: 'barcode', text: 'INV: *' });
  t.same(separateOf('patch:t,2'), { by: 'patch', codes: ['T', '2'] });
  t.same(separateOf('count:12'), { by: 'count', pages: 12 });
  t.same(parametersOf({ separate: 'barcode:INV*', 'keep-separators': true }).separate, {
    by: 'barcode',
    text: 'INV*',
    keep: true,
  });
  for (const wrong of [
    '',
    'pages',
    'count',
    'count:',
    'count:0',
    'count:2x',
    'blank:1',
    'barcode:',
    ':2',
    'patch:5',
    'patch:T,',
  ])
    t.throws(() => separateOf(wrong), { code: 'usage', message: /^--separate takes / }, wrong);
});

t.test('flags: every parameter has one, except those that only change the answer', async t => {
  const fields = Object.values(wishFlags).map(({ field }) => field);
  t.same(
    [...Object.keys(DirectParameters.properties), 'separate'].filter(field => field !== 'report').sort(),
    [...fields].sort(),
  );
});

t.test("flags: they become a client's parameters, words in any letter case", async t => {
  t.same(parametersOf({}), {});
  const values = {
    dpi: '300',
    color: 'COLOR',
    duplex: 'Short',
    size: 'a4',
    format: 'JPG',
    quality: '7',
    'auto-rotate': true,
    'auto-deskew': true,
    'auto-crop': true,
    barcodes: true,
    'barcode-filter': 'veryhigh',
    'barcode-formats': 'qrcode, EAN13,',
    'barcode-first': true,
    ocr: true,
    'transfer-mode': 'native',
    timeout: '60',
    scanner: 'not a wish',
    out: 'x',
    force: true,
  };
  t.same(parametersOf(values), {
    resolution: 300,
    colorMode: 'Color',
    duplexMode: 'DuplexShortEdge',
    pageSize: 'A4',
    imageFormat: 'Jpeg',
    jpegQuality: 7,
    autoRotate: true,
    autoDeskew: true,
    autoCrop: true,
    barcodeReadingEnabled: true,
    barcodeFilterLevel: 'VeryHigh',
    barcodeFormats: ['QrCode', 'Ean13'],
    barcodeStopAfterFirst: true,
    ocrEnabled: true,
    transferMode: 'Native',
    requestTimeoutSeconds: 60,
  });
  const edges = ['long', 'SIMPLEX', 'DuplexLongEdge', 'duplexshortedge'].map(
    duplex => parametersOf({ duplex }).duplexMode,
  );
  t.same(edges, ['DuplexLongEdge', 'Simplex', 'DuplexLongEdge', 'DuplexShortEdge']);
  t.same(parametersOf({ 'barcode-formats': '' }), { barcodeFormats: [] });
});

t.test('flags: a bare --duplex means the long edge', async t => {
  t.same(withDuplexEdge(['--duplex']), ['--duplex=long']);
  t.same(withDuplexEdge(['--duplex', '--out', 'x']), ['--duplex=long', '--out', 'x']);
  t.same(withDuplexEdge(['--duplex', 'short', '--out', 'x']), ['--duplex', 'short', '--out', 'x']);
  t.same(withDuplexEdge(['--duplex=short', '--ocr']), ['--duplex=short', '--ocr']);
});

t.test('flags: an error about a field names the flag; other errors stay unchanged', async t => {
  const said = (error: unknown): unknown => (asUsage(error) as Error).message;
  t.equal(
    said(new InvalidValue('resolution', 'one of 75, 150 on this scanner')),
    '--dpi takes one of 75, 150 on this scanner.',
  );
  t.equal(
    said(new InvalidValue('duplexMode', 'Simplex on this scanner: it scans one side only', ['Simplex'])),
    '--duplex takes simplex on this scanner: it scans one side only.',
  );
  t.equal(
    said(new InvalidValue('imageFormat', 'one of Png: Jpeg is not installed')),
    '--format takes one of Png: Jpeg is not installed.',
  );
  t.equal(said(new InvalidValue('somethingNew', 'nothing')), 'somethingNew takes nothing.');
  t.match(asUsage(new InvalidValue('resolution', 'x')), { code: 'usage' });
  let thrown: unknown;
  try {
    optionsFromDirect({ outputFormat: 'jpg' }, [fakeFormat({ name: 'Png' })]);
  } catch (error) {
    thrown = error;
  }
  t.equal(said(thrown), '--format takes one of png: jpg is not installed.');
  for (const other of [new ScanError('paper-jam', 'Jam.'), new Error('x'), undefined, 'text'])
    t.equal(asUsage(other), other);
});

t.test('noteInFlags: a note about a field starts with its flag; others stay unchanged', async t => {
  const crop = {
    code: 'page-size-changed',
    text: 'pageSize A4 is too large.',
    field: 'pageSize',
    says: 'A4 is too large.',
  } as const;
  t.equal(noteInFlags(crop), '--size A4 is too large.');
  t.equal(noteInFlags({ ...crop, field: 'somethingNew' }), crop.text);
  t.equal(noteInFlags({ code: 'one-side-only', text: 'One side.', field: 'duplexMode' }), 'One side.');
  t.equal(noteInFlags({ code: 'format-unchanged', text: 'As pageSize delivered it.' }), 'As pageSize delivered it.');
});
