/** Every symbology on every other kind of page, turned by many angles, alone, and on the sample documents. */
import t from 'tap';
import {
  allCodes,
  closeCodes,
  everyFormat,
  sampleDocument,
  sheet,
  texts,
  type Code,
  type Sheet,
} from './pages.test.kit.js';
import { read, spelled, spelledCodes, spelledFormat } from './reader.test.kit.js';

const kinds: Readonly<Record<string, Sheet>> = {
  '300 dpi, 1-bit': { codes: allCodes(), pixels: 'bw1', grain: 8 },
  '300 dpi, colour': { codes: allCodes(), pixels: 'rgb24' },
  '200 dpi, grey': { codes: allCodes(), dpi: 200, grain: 3 },
  '600 dpi, grey': { codes: allCodes(), dpi: 600, grain: 4 },
  'askew by 5 degrees': { codes: allCodes(), skew: 5 },
  faded: { codes: allCodes(), black: 150, white: 205, grain: 5 },
  'strong grain': { codes: allCodes(), grain: 20, black: 40, white: 225 },
  'on a tint': { codes: allCodes({ ink: '#444', ground: '#bbb' }) },
};

for (const [kind, wishes] of Object.entries(kinds)) {
  t.test(`readPage: ${kind}, all thirteen symbologies`, async t => {
    t.strictSame(spelled(read(await sheet(wishes))), spelledCodes(wishes.codes ?? []));
  });
}

for (const angles of [
  [90, 180, 270],
  [30, 45, 120],
  [200, 315, 75],
]) {
  t.test(`readPage: codes at ${angles.join(', ')} degrees, all thirteen`, async t => {
    const turned = everyFormat.map((symbology, i): Code => ({
      symbology,
      text: texts[symbology],
      x: i % 2 === 0 ? 55 : 150,
      y: 40 + (i >> 1) * 70,
      angle: angles[i % 3]!,
    }));
    for (const codes of [
      turned.slice(0, 8),
      turned.slice(8).map((code, i) => ({ ...code, x: i % 2 === 0 ? 55 : 150, y: 40 + (i >> 1) * 70 })),
    ]) {
      t.strictSame(spelled(read(await sheet({ codes }))), spelledCodes(codes));
    }
  });
}

t.test('readPage: formats, only the one that is named', async t => {
  const page = await sheet({ ...closeCodes(), dpi: 200 });
  for (const format of everyFormat)
    t.strictSame(spelled(read(page, { formats: [format] })), spelledFormat(format), format);
});

t.test('readPage: the sample documents of the virtual scanner, their codes', async t => {
  t.strictSame(spelled(read(await sampleDocument('invoice.png'))), [
    'CODE_128 INV-2026-00417',
    'QR_CODE https://pay.northfield.example/INV-2026-00417?amount=9597.81&currency=USD',
  ]);
  const labels = { ...texts, Pdf417: 'SHIP TO: ASHGROVE, BURLINGTON VT; 3 CARTONS; 41.5 KG' };
  t.strictSame(
    spelled(read(await sampleDocument('labels.png'))),
    spelledCodes(everyFormat.map(symbology => ({ symbology, text: labels[symbology], x: 0, y: 0 }))),
  );
});
