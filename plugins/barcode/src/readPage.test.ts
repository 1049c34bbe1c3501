/** Reading composed pages of every kind that scanners deliver: all of their codes, and nothing else. */
import type { Symbology } from '@platen/core/plugin';
import t from 'tap';
import { allCodes, closeCodes, dice, sampleDocument, sheet, type Code, type Sheet } from './pages.test.kit.js';
import { read, spelled, spelledCodes, spelledFormat } from './reader.test.kit.js';

const kinds: Readonly<Record<string, Sheet>> = {
  '300 dpi, grey': closeCodes(),
  '200 dpi, 1-bit': { ...closeCodes(), dpi: 200, pixels: 'bw1' },
  'askew by -5 degrees at 200 dpi': { ...closeCodes(), skew: -5, dpi: 200 },
  'light on dark at 200 dpi': { ...closeCodes({ ink: '#fff', ground: '#000' }), dpi: 200 },
};

for (const [kind, wishes] of Object.entries(kinds)) {
  t.test(`readPage: ${kind}, all thirteen symbologies`, async t => {
    t.strictSame(spelled(read(await sheet(wishes))), spelledCodes(wishes.codes ?? []));
  });
}

t.test('readPage: sample documents without a code, nothing at the lowest level', async t => {
  for (const name of ['letter.png', 'photo.jpg'])
    t.strictSame(read(await sampleDocument(name), { filterLevel: 'Low' }), [], name);
});

t.test('readPage: formats, only those that are named', async t => {
  const page = await sheet({ ...closeCodes(), dpi: 200 });
  // Each of the others: readPageKinds.long.test.ts.
  for (const format of ['Code39', 'Itf', 'UpcA', 'DataMatrix'] as const)
    t.strictSame(spelled(read(page, { formats: [format] })), spelledFormat(format), format);
  const two: Symbology[] = ['Ean13', 'QrCode'];
  t.strictSame(
    spelled(read(page, { formats: two })),
    spelledCodes(allCodes().filter(({ symbology }) => two.includes(symbology))),
    'a UPC-A is not an EAN-13',
  );
});

t.test('filterLevel VeryHigh: codes with error correction, kept even when scratched', async t => {
  const corrected: Symbology[] = ['QrCode', 'DataMatrix', 'Aztec', 'Pdf417'];
  const { codes: close = [], ...page } = closeCodes({ module: 0.7 });
  const codes = close.filter(({ symbology }) => corrected.includes(symbology));
  const scratches = codes
    .map(({ x, y }) => `<path d="M${x + 3} ${y + 1}l1.5 2.5" stroke="#fff" stroke-width=".8"/>`)
    .join('');
  const whole = read(await sheet({ ...page, codes, dpi: 200 }), { filterLevel: 'VeryHigh' });
  const scratched = read(await sheet({ ...page, codes, dpi: 200, over: scratches }), { filterLevel: 'VeryHigh' });
  t.strictSame(spelled(whole), spelledCodes(codes));
  t.strictSame(spelled(scratched), spelledCodes(codes));
  const trust = (found: typeof whole) => found.reduce((sum, { confidence }) => sum + confidence, 0);
  t.ok(
    trust(scratched) < trust(whole),
    `correction that was used lowers confidence: ${trust(scratched)}, not ${trust(whole)}`,
  );
});

t.test('readPage: a linear code of which 1 mm is left, confidence below 0.8', async t => {
  const confidence = async (height: number) => {
    const cover = `<rect x="60" y="${44 + height}" width="60" height="20" fill="#fff"/>`;
    const [found] = read(
      await sheet({
        width: 160,
        height: 80,
        text: false,
        codes: [{ symbology: 'Itf', text: '0123456789', x: 80, y: 50 }],
        over: cover,
      }),
      { filterLevel: 'Low' },
    );
    return found?.confidence ?? 0;
  };
  const [whole, strip] = [await confidence(12), await confidence(1)];
  t.ok(whole > 0.95, `whole: ${whole}`);
  t.ok(strip < 0.8, `a strip of a millimetre: ${strip}`);
});

t.test('readPage at Normal: strokes, rules, chequers and noise, no barcode', async t => {
  const size = { width: 105, height: 148 };
  const random = dice(3);
  const rules = Array.from(
    { length: 40 },
    (_, i) =>
      `<path d="M15 ${20 + i * 6}H195M${15 + i * 4.5} 20V254" stroke="#000" stroke-width="${0.1 + random() * 0.4}"/>`,
  ).join('');
  const chequers = Array.from({ length: 900 }, (_, i) =>
    random() < 0.5 ? `<rect x="${60 + (i % 30)}" y="${60 + Math.floor(i / 30)}" width="1" height="1"/>` : '',
  ).join('');
  for (const [name, wishes] of Object.entries({
    strokes: {},
    rules: { svg: rules },
    chequers: { svg: chequers, text: false },
    noise: { text: false, grain: 60, black: 60, white: 190 },
  } as Record<string, Sheet>)) {
    for (const pixels of ['gray8', 'bw1'] as const)
      t.strictSame(read(await sheet({ ...size, dpi: 200, pixels, ...wishes })), [], `${name}, ${pixels}`);
  }
});

t.test('readPage: one text in two places, two barcodes', async t => {
  const codes = [30, 60].map((y): Code => ({ symbology: 'Code128', text: 'A-1', x: 50, y }));
  t.strictSame(spelled(read(await sheet({ width: 100, height: 90, codes }))), spelledCodes(codes));
});
