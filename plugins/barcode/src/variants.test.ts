/** Variants of the thirteen symbologies: what the bare library reads of them, with all of its options, is read here. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FilterLevel, RawPage } from '@platen/core/plugin';
import t from 'tap';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { prepareZXingModule as prepareWriter, writeBarcode } from 'zxing-wasm/writer';
import { code32 } from './code32.js';
import { sheet, type Code } from './pages.test.kit.js';
import { read, spelled } from './reader.test.kit.js';
import { qrModel1, rune, runeTexts } from './variants.test.kit.js';

const wasm = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
const writer = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
prepareWriter({ overrides: { wasmBinary: new Uint8Array(writer).buffer } });

const alphabet = '0123456789BCDFGHJKLMNPQRSTUVWXYZ';

/** Runes, QR codes of model 1, a Code 32, and a PZN, which is a Code 39 that begins with `-`. */
const codes: readonly Code[] = [
  ...runeTexts.map((text, i): Code => ({ symbology: 'Aztec', text, x: 20 + i * 30, y: 15, modules: rune(text) })),
  ...['HELLO', 'GATE 12 BAY 3'].map((text, i): Code => ({
    symbology: 'QrCode',
    text,
    x: 30 + i * 40,
    y: 40,
    modules: qrModel1(text),
  })),
  { symbology: 'Code39', text: '0CSSBD', x: 50, y: 65 },
  { symbology: 'Code39', text: '-01234562', x: 50, y: 85 },
];
const small = { codes, width: 100, height: 100, text: false };
const wanted = [
  ...runeTexts.map(text => `AZTEC ${text}`),
  'CODE_39 -01234562',
  'CODE_39 0CSSBD',
  'CODE_39 A012345676',
  'QR_CODE GATE 12 BAY 3',
  'QR_CODE HELLO',
].sort();

t.test('readPage: variants at 300 dpi, each as its symbology, with the texts of the bare library', async t => {
  const page = await sheet(small);
  t.strictSame(spelled(read(page)), wanted);
  const bare = await readBarcodes(imageOf(page), { formats: [], maxNumberOfSymbols: 255 });
  const texts = wanted.map(each => each.slice(each.indexOf(' ') + 1));
  // Of a Code 32, the library gives one of the two readings only.
  t.strictSame(bare.map(({ text }) => text).sort(), texts.filter(text => text !== '0CSSBD').sort());
});

t.test('barcodeStopAfterFirst: a Code 32 is the Code 39 that its bars are', async t => {
  const page = await sheet({ ...small, codes: codes.filter(({ text }) => text === '0CSSBD') });
  t.strictSame(spelled(read(page, { stopAfterFirst: true })), ['CODE_39 0CSSBD']);
});

t.test('code32: the text of the bare library, and none where it reads an ordinary Code 39', async t => {
  let pharmacodes = 0;
  for (let i = 0; i < 60; i++) {
    // Spread over the numbers that six characters can have, past the largest of nine digits.
    const text = [5, 4, 3, 2, 1, 0].map(at => alphabet[Math.floor((i * 17_895_697) / 32 ** at) % 32]).join('');
    const { image } = await writeBarcode(text, { format: 'Code39', scale: 2 });
    const [found] = await readBarcodes(image!, { formats: ['Code39Std', 'Code32'] });
    t.equal(code32(text) ?? text, found?.text, text);
    if (code32(text)) pharmacodes++;
  }
  t.ok(pharmacodes > 0 && pharmacodes < 60);
  for (const text of ['', '0CSSB', '0CSSBDD', '0CSSBA', '0cssbd']) t.equal(code32(text), undefined, text);
});

t.test('filterLevel: runes are kept up to High, with their few bits of error correction', async t => {
  const page = await sheet({ ...small, codes: codes.slice(0, runeTexts.length) });
  const kept = (filterLevel: FilterLevel) => read(page, { filterLevel, formats: ['Aztec'] }).length;
  t.strictSame([kept('High'), kept('VeryHigh')], [runeTexts.length, 0]);
});

t.test('readPage: variants on a skewed page in one bit, each as its symbology', async t => {
  t.strictSame(spelled(read(await sheet({ ...small, pixels: 'bw1', skew: 5 }))), wanted);
});

t.test('readPage: variants, with the format that names their symbology alone', async t => {
  const page = await sheet(small);
  for (const [format, name] of [
    ['Aztec', 'AZTEC'],
    ['QrCode', 'QR_CODE'],
    ['Code39', 'CODE_39'],
  ] as const)
    t.strictSame(
      spelled(read(page, { formats: [format] })),
      wanted.filter(each => each.startsWith(name)),
      format,
    );
});

/** Of a grey page; zxing takes four bytes per pixel. */
function imageOf({ width, height, data }: RawPage): Parameters<typeof readBarcodes>[0] {
  const rgba = Uint8ClampedArray.from({ length: data.length * 4 }, (_, i) => (i % 4 === 3 ? 255 : data[i >> 2]!));
  return { width, height, data: rgba, colorSpace: 'srgb' } as Parameters<typeof readBarcodes>[0];
}
