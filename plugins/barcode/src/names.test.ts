/** What zxing says, in the interface's words; what a code holds, as its bytes were. */
import t from 'tap';
import { askFor, everyFormat, familyOf, nameOf } from './names.js';
import { sheet, type Code } from './pages.test.kit.js';
import { read, spelled } from './reader.test.kit.js';
import { textOf } from './text.js';

t.test('an empty list asks for everything, and each format is found by what is asked for', async t => {
  const families = ['linear', 'stacked', 'matrix'] as const;
  t.equal(askFor([], families), askFor(everyFormat, families));
  t.equal(askFor(['QrCode'], ['linear']), '', 'nothing of that family');
  t.equal(askFor(['UpcA', 'Ean13'], families), 'EAN13', 'drawn alike, asked for once');
  t.equal(everyFormat.filter(each => familyOf(each) === 'linear').length, 9);
});

t.test('UPC-A and UPC-E are told from EAN-13, and their text is as printed', async t => {
  t.strictSame(nameOf('EAN13', '0036000291452', {}), { symbology: 'UpcA', text: '036000291452' });
  t.strictSame(nameOf('EAN13', '4006381333931', {}), { symbology: 'Ean13', text: '4006381333931' });
  t.strictSame(nameOf('UPCE', '0012345000065', { UPCE: '01234565' }), { symbology: 'UpcE', text: '01234565' });
  t.equal(nameOf('MaxiCode', 'x', {}), undefined, 'none of the thirteen');
});

t.test('bytes: what a code declares, UTF-8, a guess, and no text at all', async t => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  t.equal(textOf({ bytes: bytes(0xe9), text: 'щ', contentType: 0, hasECI: true }), 'щ', 'declared');
  t.equal(textOf({ bytes: new TextEncoder().encode('Grüße €'), text: 'GrÃ¼ÃŸe', contentType: 0, hasECI: false }), 'Grüße €', 'UTF-8 before a guess');
  t.equal(textOf({ bytes: bytes(0x93, 0xfa, 0x96, 0x7b), text: '日本', contentType: 0, hasECI: false }), '日本', 'zxing knows of Shift JIS');
  t.equal(textOf({ bytes: bytes(0, 0xff, 0x80), text: '?', contentType: 1, hasECI: false }), '\u0000ÿ\u0080', 'each byte a character');
});

t.test('texts come through a page as they were written', async t => {
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

t.test('UPC-A and EAN-13 on one page', async t => {
  const codes: Code[] = [{ symbology: 'UpcA', text: '012345678905', x: 40, y: 25 }, { symbology: 'Ean13', text: '1234567890128', x: 40, y: 55 }];
  t.strictSame(spelled(read(await sheet({ width: 80, height: 75, codes }))), ['EAN_13 1234567890128', 'UPC_A 012345678905']);
});
