/** Sightings become barcodes: the same one once, rivals weighed, in reading order. And what confidence is made of. */
import { filterLevels } from '@platen/core/plugin';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { confidenceOf, doubts, floors } from './evidence.js';
import { merge } from './merge.js';
import { everyFormat, spell } from './names.js';
import type { Sighting } from './zxing.js';

function seen(text: string, [left, top, right, bottom]: readonly [number, number, number, number], more: Partial<Sighting> = {}): Sighting {
  const corners = [[left, top], [right, top], [right, bottom], [left, bottom]] as const;
  return { symbology: 'Code128', text, corners, agreed: bottom - top, unused: undefined, damaged: false, ...more };
}

t.test('the same code seen twice is one, and surer', async t => {
  const [once] = merge([seen('A-1234', [10, 10, 100, 12])], 1);
  const twice = merge([seen('A-1234', [10, 10, 100, 12]), seen('A-1234', [12, 9, 98, 13])], 1);
  t.equal(twice.length, 1);
  t.ok(twice[0]!.confidence > once!.confidence);
  t.equal(merge([seen('A-1234', [10, 10, 100, 10]), seen('A-1234', [10, 24, 100, 24])], 1).length, 1, 'two single lines of one code');
  t.equal(merge([seen('A-1234', [10, 10, 100, 30]), seen('A-1234', [10, 110, 100, 130])], 1).length, 2, 'another label with the same text');
});

t.test('of two codes in one place, the weaker is doubted, and neither is thrown away', async t => {
  const [strong, weak] = [seen('15400141288763', [10, 10, 200, 40], { symbology: 'Itf' }), seen('54001412', [60, 20, 120, 23], { symbology: 'Itf' })];
  const found = merge([weak, strong], 1);
  const alone = merge([weak], 1)[0]!.confidence;
  t.strictSame(found.map(({ text }) => text).sort(), ['15400141288763', '54001412']);
  t.equal(found.find(({ text }) => text === strong.text)?.confidence, 1);
  t.ok(found.find(({ text }) => text === weak.text)!.confidence < alone);
});

t.test('two codes with error correction in one box, as where one lies at an angle, keep their confidence', async t => {
  const corrected = { agreed: 0, unused: 0.5 };
  const found = merge([seen('turned', [10, 10, 400, 400], { ...corrected, symbology: 'Pdf417' }), seen('beside', [40, 40, 140, 140], { ...corrected, symbology: 'QrCode' })], 1);
  t.strictSame(found.map(({ text, confidence }) => [text, confidence >= floors.VeryHigh]), [['turned', true], ['beside', true]]);
});

t.test('in reading order: rows, and each of them from left to right', async t => {
  const found = merge([seen('four', [10, 200, 60, 220]), seen('two', [300, 12, 380, 34]), seen('three', [500, 5, 560, 30]), seen('one', [10, 10, 90, 30])], 1);
  t.strictSame(found.map(({ text }) => text), ['one', 'two', 'three', 'four']);
});

t.test('every millimetre on which lines agree makes a code surer; a short text less so; correction that was used too', async t => {
  const itf = (agreed: number, text = '123456') => confidenceOf({ symbology: 'Itf', text, agreed, unused: undefined });
  t.strictSame([itf(0), itf(1), itf(2)], [0, 0.5, 0.75]);
  t.ok(itf(2, '12') < itf(2));
  t.equal(itf(0, '1'), 0, 'never below 0');
  const qr = (unused: number) => confidenceOf({ symbology: 'QrCode', text: 'x', agreed: 0, unused });
  t.ok(qr(1) > qr(0.2));
  t.ok(qr(0) >= floors.VeryHigh, 'none with error correction is lost at the strictest level');
  for (const symbology of everyFormat) {
    const best = confidenceOf({ symbology, text: '1234567', agreed: 8, unused: undefined });
    t.ok(best > floors.VeryHigh && best <= 1, `${symbology} whole: ${best}`);
  }
});

t.test('the README has these numbers', async t => {
  const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
  for (const level of filterLevels) t.match(readme, new RegExp(`\\| ${level} \\| ${floors[level].toFixed(2)} \\|`), level);
  for (const symbology of everyFormat) t.match(readme, new RegExp(`${spell(symbology)}[^|\\n]*\\| ${doubts[symbology].toFixed(2)} \\|`), symbology);
});
