/** Areas: the right part of the sheet, in memory and as files, in 1-bit and in colour. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pixelsAt } from '@platen/core/plugin';
import t from 'tap';
import { assertTaken, areaLimitsOf, cutToArea, rectangleOf } from './area.js';
import { bodyOf, lacking, never, scanned } from './rig.test.kit.js';
import type { Unit } from './unit.js';

const unit: Unit = {
  type: 3,
  resolutions: [],
  preferred: [],
  depths: [],
  unitsOfMeasure: [],
  unitOfMeasure: 1,
  width: 21.59,
  height: 35.56,
  duplex: false,
  loaded: false,
};
const area = { x: 60, y: 40, width: 40, height: 30 };

t.test('area: in the measure of the unit', async t => {
  t.strictSame(areaLimitsOf(unit), { width: 215.9, height: 355.6 });
  t.equal(areaLimitsOf({ ...unit, unitOfMeasure: 5 }), undefined, 'pixels are not a length');
  const wanted = rectangleOf(area, unit);
  const rounded = Object.values(wanted).map(each => Math.round(each * 1000) / 1000);
  t.strictSame(rounded, [6, 4, 4, 3]);
  t.doesNotThrow(() => assertTaken({ ...wanted, width: 5 }, wanted, unit), 'a larger one');
  for (const other of [{ width: 3.9 }, { x: 6.1 }, { y: 0 }, { height: undefined }])
    t.throws(() => assertTaken({ ...wanted, ...other }, wanted, unit), { code: 'unsupported' }, JSON.stringify(other));
});

t.test('area: a page in memory that is larger is cut, one as a file stays as it is', async t => {
  const facts = { sheet: 1, side: 'front', dpi: 100, pixels: 'gray8', width: 200, height: 150 } as const;
  const data = new Uint8Array(200 * 150);
  const raw = cutToArea({ ...facts, kind: 'raw', stride: 200, data }, area);
  t.match(raw, { width: 157, height: 118, stride: 200, adjusted: ['area'], data: { length: 118 * 200 } });
  const encoded = cutToArea({ ...facts, kind: 'encoded', mimeType: 'image/png', data }, area);
  t.match(encoded, { width: 200, adjusted: undefined });
});

const skip = lacking();
for (const colorMode of ['Grayscale', 'BlackAndWhite'] as const)
  t.test(`area: ink to the sheet's edges at 80 and 50 mm, ${colorMode}`, { skip }, async t => {
    const body = await bodyOf({ is: 'feeder sensor', files: { area: '105 148' } });
    t.teardown(() => body.dispose());
    await writeFile(join(body.folder, 'feeder', '1'), 'size 80 50\nfront 0 0 0\n');
    const session = await body.driver.open('desk', { signal: never() });
    const { pages, message } = await scanned(session, { colorMode, area, resolution: 100 });
    t.equal(message, '');
    const [page] = pages;
    if (page?.kind !== 'raw') return t.fail('no page in memory');
    t.strictSame(page.adjusted, ['area']);
    const isBlack = (x: number, y: number) => {
      const byte = page.data[y * page.stride + (colorMode === 'Grayscale' ? x : x >> 3)]!;
      return colorMode === 'Grayscale' ? byte < 128 : ((byte >> (7 - (x & 7))) & 1) === 1;
    };
    const [right, bottom] = [pixelsAt(100, 80 - area.x), pixelsAt(100, 50 - area.y)];
    t.ok(isBlack(right - 2, 5) && !isBlack(right + 2, 5), 'its right edge');
    t.ok(isBlack(5, bottom - 2) && !isBlack(5, bottom + 2), 'its lower edge');
  });
