/** Merging detections into barcodes, and their confidence. */
import { filterLevels } from '@platen/core/plugin';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { confidenceOf, doubts, floors } from './confidence.js';
import { merge } from './merge.js';
import { barcodeTypeOf, everyFormat, familyOf } from './symbologies.js';
import type { Detection } from './zxing.js';

type Corners = readonly [left: number, top: number, right: number, bottom: number];

function detected(text: string, [left, top, right, bottom]: Corners, more: Partial<Detection> = {}): Detection {
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  return {
    symbology: 'Code128',
    text,
    corners,
    agreement: bottom - top,
    unusedCorrection: undefined,
    damaged: false,
    ...more,
  };
}

t.test('merge: one code detected twice, one barcode with more confidence', async t => {
  const [once] = merge([detected('A-1234', [10, 10, 100, 12])], 1);
  const twice = merge([detected('A-1234', [10, 10, 100, 12]), detected('A-1234', [12, 9, 98, 13])], 1);
  t.equal(twice.length, 1);
  t.ok(twice[0]!.confidence > once!.confidence);
  t.equal(
    merge([detected('A-1234', [10, 10, 100, 10]), detected('A-1234', [10, 24, 100, 24])], 1).length,
    1,
    'two single scan lines of one code',
  );
  t.equal(
    merge([detected('A-1234', [10, 10, 100, 30]), detected('A-1234', [10, 110, 100, 130])], 1).length,
    2,
    'another label with the same text',
  );
});

t.test('merge: two codes in one place, both kept, the weaker with less confidence', async t => {
  const [strong, weak] = [
    detected('15400141288763', [10, 10, 200, 40], { symbology: 'Itf' }),
    detected('54001412', [60, 20, 120, 23], { symbology: 'Itf' }),
  ];
  const found = merge([weak, strong], 1);
  const alone = merge([weak], 1)[0]!.confidence;
  t.strictSame(found.map(({ text }) => text).sort(), ['15400141288763', '54001412']);
  t.equal(found.find(({ text }) => text === strong.text)?.confidence, 1);
  t.ok(found.find(({ text }) => text === weak.text)!.confidence < alone);
});

t.test('merge: two codes with error correction in one box, confidence unchanged', async t => {
  const corrected = { agreement: 0, unusedCorrection: 0.5 };
  const found = merge(
    [
      detected('turned', [10, 10, 400, 400], { ...corrected, symbology: 'Pdf417' }),
      detected('beside', [40, 40, 140, 140], { ...corrected, symbology: 'QrCode' }),
    ],
    1,
  );
  t.strictSame(
    found.map(({ text, confidence }) => [text, confidence >= floors.VeryHigh]),
    [
      ['turned', true],
      ['beside', true],
    ],
  );
});

t.test('merge: codes in two rows, in reading order', async t => {
  const found = merge(
    [
      detected('four', [10, 200, 60, 220]),
      detected('two', [300, 12, 380, 34]),
      detected('three', [500, 5, 560, 30]),
      detected('one', [10, 10, 90, 30]),
    ],
    1,
  );
  t.strictSame(
    found.map(({ text }) => text),
    ['one', 'two', 'three', 'four'],
  );
});

t.test(
  'confidence: halved doubt for each millimetre of agreement, less for short texts and used correction',
  async t => {
    const itf = (agreement: number, text = '123456') =>
      confidenceOf({ symbology: 'Itf', text, agreement, unusedCorrection: undefined });
    t.strictSame([itf(0), itf(1), itf(2)], [0, 0.5, 0.75]);
    t.ok(itf(2, '12') < itf(2));
    t.equal(itf(0, '1'), 0, 'never below 0');
    const qr = (unusedCorrection: number) =>
      confidenceOf({ symbology: 'QrCode', text: 'x', agreement: 0, unusedCorrection });
    t.ok(qr(1) > qr(0.2));
    t.ok(qr(0) >= floors.VeryHigh, 'the strictest level keeps every code with error correction');
    for (const symbology of everyFormat) {
      const unusedCorrection = familyOf(symbology) === 'linear' ? undefined : 1;
      const best = confidenceOf({ symbology, text: '1234567', agreement: 8, unusedCorrection });
      t.ok(best > floors.VeryHigh && best <= 1, `${symbology} whole: ${best}`);
    }
  },
);

t.test('README.md: the tables of doubt and filter levels, the same numbers as the code', async t => {
  const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
  for (const level of filterLevels)
    t.match(readme, new RegExp(`\\| ${level} \\| ${floors[level].toFixed(2)} \\|`), level);
  for (const symbology of everyFormat)
    t.match(
      readme,
      new RegExp(`${barcodeTypeOf(symbology)}[^|\\n]*\\| ${doubts[symbology].toFixed(2)} \\|`),
      symbology,
    );
});
