/** Names of symbologies to zxing and back, and the text of a code's bytes. */
import t from 'tap';
import { sheet, type Code } from './pages.test.kit.js';
import { read, spelled } from './reader.test.kit.js';
import { everyFormat, familyOf, fromZxing, zxingFormats } from './symbologies.js';
import { textOf } from './zxing.js';

t.test('zxingFormats: an empty list, every format; families narrow it', async t => {
  const families = ['linear', 'stacked', 'matrix'] as const;
  t.equal(zxingFormats([], families), zxingFormats(everyFormat, families));
  t.equal(zxingFormats(['QrCode'], ['linear']), '', 'nothing of that family');
  t.equal(zxingFormats(['UpcA', 'Ean13'], families), 'EAN13', 'decoded alike, asked for once');
  t.equal(everyFormat.filter(each => familyOf(each) === 'linear').length, 9);
});

t.test('fromZxing: UPC-A, EAN-13 and UPC-E, each with its printed text', async t => {
  t.strictSame(fromZxing('EAN13', '0036000291452', {}), { symbology: 'UpcA', text: '036000291452' });
  t.strictSame(fromZxing('EAN13', '4006381333931', {}), { symbology: 'Ean13', text: '4006381333931' });
  t.strictSame(fromZxing('UPCE', '0012345000065', { UPCE: '01234565' }), { symbology: 'UpcE', text: '01234565' });
  t.equal(fromZxing('MaxiCode', 'x', {}), undefined, 'not one of the thirteen');
});

t.test("textOf: declared character set, UTF-8, zxing's guess, binary", async t => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  t.equal(textOf({ bytes: bytes(0xe9), text: 'щ', contentType: 0, hasECI: true }), 'щ', 'declared');
  t.equal(
    textOf({ bytes: new TextEncoder().encode('Grüße €'), text: 'GrÃ¼ÃŸe', contentType: 0, hasECI: false }),
    'Grüße €',
    'UTF-8 before the guess',
  );
  t.equal(
    textOf({ bytes: bytes(0x93, 0xfa, 0x96, 0x7b), text: '日本', contentType: 0, hasECI: false }),
    '日本',
    'the guess: Shift JIS',
  );
  t.equal(
    textOf({ bytes: bytes(0, 0xff, 0x80), text: '?', contentType: 1, hasECI: false }),
    '\u0000ÿ\u0080',
    'each byte one character',
  );
});

t.test('readPage: non-ASCII texts, unchanged', async t => {
  const codes: Code[] = [
    { symbology: 'QrCode', text: 'Grüße aus Köln, 12 €', x: 30, y: 30 },
    { symbology: 'DataMatrix', text: 'naïve\tzwölf', x: 80, y: 30 },
    { symbology: 'Pdf417', text: 'line one\nline two', x: 50, y: 65 },
    { symbology: 'Code39', text: 'A+B $C', x: 50, y: 95 },
    { symbology: 'QrCode', text: '東京都 1-2-3', x: 120, y: 30 },
  ];
  const texts = read(await sheet({ width: 150, height: 115, codes })).map(({ text }) => text);
  t.strictSame(texts.sort(), codes.map(({ text }) => text).sort());
});

t.test('readPage: UPC-A and EAN-13 on one page, told apart', async t => {
  const codes: Code[] = [
    { symbology: 'UpcA', text: '012345678905', x: 40, y: 25 },
    { symbology: 'Ean13', text: '1234567890128', x: 40, y: 55 },
  ];
  t.strictSame(spelled(read(await sheet({ width: 80, height: 75, codes }))), [
    'EAN_13 1234567890128',
    'UPC_A 012345678905',
  ]);
});
