/** Variants of the thirteen symbologies: what the bare library reads of them, with all of its options, is read here. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FilterLevel, RawPage } from '@platen/core/plugin';
import t from 'tap';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { sheet, type Code } from './pages.test.kit.js';
import { read, spelled } from './reader.test.kit.js';
import { qrModel1, rune, runeTexts } from './variants.test.kit.js';

const wasm = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** The text that is printed below a Code 32; its bars are those of a Code 39. */
const pharmacode = 'A012345676';

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
  `CODE_39 ${pharmacode}`,
  'QR_CODE GATE 12 BAY 3',
  'QR_CODE HELLO',
].sort();

t.test('readPage: variants at 300 dpi, each as its symbology, with the texts of the bare library', async t => {
  const page = await sheet(small);
  t.strictSame(spelled(read(page)), wanted);
  const bare = await readBarcodes(imageOf(page), { formats: [], maxNumberOfSymbols: 255 });
  t.strictSame(bare.map(({ text }) => text).sort(), wanted.map(each => each.slice(each.indexOf(' ') + 1)).sort());
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
