/** Flags mean the same as the interface's parameters, and errors use the flags' names. */
import { fakeFormat } from '@platen/conformance';
import { InvalidValue, ScanError } from '@platen/core';
import t from 'tap';
import { DirectParameters, optionsFromDirect } from '../../service/parameters/scanParameters.js';
import {
  asUsage,
  noteInFlags,
  parametersOf,
  wishFlags,
  withBareDuplex,
  withNegatives,
  type FlagValues,
} from './flags.js';

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
  [{ quality: '101' }, '--quality takes an integer from 1 to 100.'],
  [{ 'barcode-filter': 'none' }, '--barcode-filter takes one of Low, Normal, High, VeryHigh.'],
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
    profile: 'Invoices',
    source: 'feeder',
    sheets: '3',
    area: '10,20.5,100x50',
    brightness: '-20',
    contrast: '0',
    threshold: '128',
    option: ['backing=black', 'gain=1.5', 'beep=false', 'mode="300"', 'note=a=b'],
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
    barcodeFormats: ['qrcode', 'EAN13'],
    barcodeStopAfterFirst: true,
    ocrEnabled: true,
    profile: 'Invoices',
    source: 'Feeder',
    sheets: 3,
    area: { x: 10, y: 20.5, width: 100, height: 50 },
    brightness: -20,
    contrast: 0,
    threshold: 128,
    driverOptions: { backing: 'black', gain: 1.5, beep: false, mode: '300', note: 'a=b' },
    transferMode: 'Native',
    requestTimeoutSeconds: 60,
  });
  const edges = ['long', 'SIMPLEX', 'DuplexLongEdge', 'duplexshortedge'].map(
    duplex => parametersOf({ duplex }).duplexMode,
  );
  t.same(edges, ['DuplexLongEdge', 'Simplex', 'DuplexLongEdge', 'DuplexShortEdge']);
  t.same(parametersOf({ 'barcode-formats': '' }), { barcodeFormats: [] });
  t.same(parametersOf({ format: 'webp' }), { imageFormat: 'webp' }, 'a word for the loaded plugins');
});

t.test('flags: what names plugins, repeated and with options', async t => {
  const values = {
    recognise: ['stamp:least=3,ink=blue,strict', 'patch'],
    process: ['despeckle:radius=1.5,edge=a=b,off=false', 'invert'],
    reader: ['barcode=@acme/barcode', 'ocr=Acme OCR'],
  };
  t.same(parametersOf(values), {
    recognise: { stamp: { least: 3, ink: 'blue', strict: true }, patch: {} },
    process: { despeckle: { radius: 1.5, edge: 'a=b', off: false }, invert: {} },
    readers: { barcode: '@acme/barcode', ocr: 'Acme OCR' },
  });
  for (const wrong of [{ recognise: [''] }, { process: [':radius=1'] }, { reader: ['barcode'] }, { reader: ['=x'] }])
    t.throws(() => parametersOf(wrong), { code: 'usage' }, JSON.stringify(wrong));
  const error = new InvalidValue('process.despeckle.radius', 'a number from 0 to 5');
  t.equal((asUsage(error) as Error).message, '--process despeckle radius takes a number from 0 to 5.');
});

t.test("flags: a bare --duplex means the long edge, a bare --manual-duplex the last sheet's back first", async t => {
  t.same(withBareDuplex(['--duplex']), ['--duplex=long']);
  t.same(withBareDuplex(['--duplex', '--out', 'x']), ['--duplex=long', '--out', 'x']);
  t.same(withBareDuplex(['--duplex', 'short', '--out', 'x']), ['--duplex', 'short', '--out', 'x']);
  t.same(withBareDuplex(['--duplex=short', '--ocr']), ['--duplex=short', '--ocr']);
  t.same(withBareDuplex(['--manual-duplex', '--ocr']), ['--manual-duplex=reversed', '--ocr']);
  t.same(withBareDuplex(['--manual-duplex', 'same']), ['--manual-duplex', 'same']);
});

t.test('flags: a negative number is a value, also without =', async t => {
  t.same(withNegatives(['--brightness', '-20', '--contrast=-5']), ['--brightness=-20', '--contrast=-5']);
  t.same(withNegatives(['--ocr', '--out', '-x', '-20']), ['--ocr', '--out', '-x', '-20']);
});

t.test('flags: an area or option that cannot be read, named with what it takes', async t => {
  for (const area of ['10,20', '10,20,100', '10,20,100x', 'a,b,cxd', '-1,0,10x10'])
    t.throws(() => parametersOf({ area }), { code: 'usage', message: /^--area takes X,Y,WIDTHxHEIGHT/ });
  t.throws(() => parametersOf({ area: '0,0,0x10' }), { code: 'usage', message: /^--area width takes/ });
  t.throws(() => parametersOf({ option: ['lamp'] }), { code: 'usage', message: /^--option takes NAME=VALUE/ });
  t.match(asUsage(new InvalidValue('driverOptions.lamp', 'one of warm')), {
    message: /^--option lamp takes one of warm/,
  });
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
    optionsFromDirect({ outputFormat: 'jpg' }, { formats: [fakeFormat({ name: 'Png' })], readers: [], processors: [] });
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
