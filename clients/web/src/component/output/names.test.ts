import t from 'tap';
import { kept } from '../pages/sheets.test.kit.js';
import { DEFAULT_PATTERN, extensionOf, factsOf, nameFrom, patternOfPages, uniqueNames } from './names.js';

const at = new Date(2026, 0, 5, 7, 3);
const facts = { at, scanner: 'Feeder A', barcode: 'INV 12/7', page: 4 };

t.test('file names: the fields of a pattern', async t => {
  t.equal(nameFrom(DEFAULT_PATTERN, facts), 'scan-20260105-0703');
  t.equal(nameFrom('{scanner} {barcode} {page}', facts), 'Feeder A INV 12_7 04');
  t.equal(nameFrom('{page}{page}', { ...facts, page: 123 }), '123123');
  t.equal(nameFrom('{Date} {other} {}', facts), '{Date} {other} {}', 'an unknown field stays');
  t.equal(nameFrom('{barcode}', { ...facts, barcode: '{date}' }), '{date}', 'a value is no pattern');
});

t.test('file names: a field without a value takes the separator before it', async t => {
  const none = { at, scanner: 'A' };
  t.equal(nameFrom('{date}-{barcode}-{time}', none), '20260105-0703');
  t.equal(nameFrom('{barcode}_{scanner}', none), 'A');
  t.equal(nameFrom('scan {barcode} {page}', none), 'scan');
  t.equal(nameFrom('{barcode}', none), 'scan-20260105-0703', 'never empty');
  t.equal(nameFrom('{barcode}', { ...none, barcode: '' }), 'scan-20260105-0703');
});

t.test('file names: safe on every system', async t => {
  for (const [pattern, name] of [
    ['../../etc/passwd', 'etc_passwd'],
    ['C:\\scans\\a', 'C_scans_a'],
    ['a<b>c|d?e*f"g', 'a_b_c_d_e_f_g'],
    ['line\nbreak\0and\u202egnp.exe', 'line_breakand_gnp.exe'],
    ['  name. . ', 'name'],
    ['.hidden', 'hidden'],
    ['con', '_con'],
    ['COM1.txt', '_COM1.txt'],
    ['console', 'console'],
    ['', 'scan-20260105-0703'],
    [' ./. ', 'scan-20260105-0703'],
    ['a\ud800x', 'a_x'],
    ['Größe 請求書 فاتورة', 'Größe 請求書 فاتورة'],
  ] as const)
    t.equal(nameFrom(pattern, facts), name, JSON.stringify(pattern));
  t.equal(nameFrom('ab'.repeat(200), facts).length, 60);
  t.equal(nameFrom('📄'.repeat(70), facts), '📄'.repeat(60), 'no character is cut in two');
});

t.test('file names: the barcode is the first one of the first page that has one', async t => {
  const code = (text: string) => ({ text, barcodeType: 'QR_CODE', confidence: 1 });
  const sheets = [
    kept('a', 1),
    kept('a', 2, { barcodes: [code('B'), code('C')] }),
    kept('a', 3, { barcodes: [code('D')] }),
  ];
  t.match(factsOf(sheets, at), { barcode: 'B', scanner: 'Feeder A', at: sheets[0]!.at });
  t.match(factsOf([], at), { at, scanner: '', barcode: undefined });
});

t.test('file names: single pages have their number', async t => {
  t.equal(patternOfPages(DEFAULT_PATTERN), 'scan-{date}-{time}-page-{page}');
  t.equal(patternOfPages('{page} of {scanner}'), '{page} of {scanner}');
});

t.test('file names: extensions, also of a vendor’s format', async t => {
  t.same(['image/jpeg', 'image/tiff', 'image/webp', 'image/x-raw', 'x/../y'].map(extensionOf), [
    'jpg',
    'tif',
    'webp',
    'raw',
    'bin',
  ]);
});

t.test('file names: each once, without regard to case', async t => {
  t.same(uniqueNames(['a.png', 'A.png', 'a.png', 'a-2.png', 'b.tif', 'a.tif', 'x', 'x']), [
    'a.png',
    'A-2.png',
    'a-3.png',
    'a-2-2.png',
    'b.tif',
    'a.tif',
    'x',
    'x-2',
  ]);
});
