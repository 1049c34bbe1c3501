/** Units: how their lists, ranges and measures become capabilities. */
import t from 'tap';
import { areaOf, colorModesOf, measureOf, pageSizesOf, readDescription, resolutionsOf, type Unit } from './unit.js';

const unit = (facts: Partial<Unit> = {}): Unit => ({
  type: 3,
  resolutions: [[300, 300]],
  preferred: [],
  depths: [[8, 8]],
  unitsOfMeasure: [[0, 1]],
  unitOfMeasure: 0,
  width: 8.5,
  height: 14,
  duplex: false,
  loaded: false,
  ...facts,
});

t.test('resolutions', async t => {
  t.strictSame(
    resolutionsOf(
      unit({
        resolutions: [
          [75, 75],
          [150, 150],
          [300, 300],
          [2400, 2400],
        ],
      }),
    ),
    [75, 150, 300],
    'a list, without interpolated values',
  );
  t.strictSame(
    resolutionsOf(unit({ resolutions: [[75, 19_200]] })),
    [75, 100, 150, 200, 240, 300, 400, 600, 1200],
    'a wide range, in the usual steps',
  );
  t.strictSame(
    resolutionsOf(
      unit({
        resolutions: [[75, 19_200]],
        preferred: [
          [75, 75],
          [100, 100],
          [300, 300],
          [4800, 4800],
        ],
      }),
    ),
    [75, 100, 300],
    'the preferred values of a range',
  );
  t.strictSame(resolutionsOf(unit({ resolutions: [[310, 390]] })), [310], 'a range without a usual value');
  t.strictSame(resolutionsOf(unit({ resolutions: [[2400, 2400]] })), [2400], 'a list with only an interpolated value');
  t.strictSame(resolutionsOf(unit({ resolutions: [] })), []);
});

t.test('colour modes', async t => {
  t.strictSame(
    colorModesOf(
      unit({
        depths: [
          [1, 1],
          [8, 8],
          [16, 16],
        ],
      }),
    ),
    ['Color', 'Grayscale', 'BlackAndWhite'],
  );
  t.strictSame(colorModesOf(unit({ depths: [[8, 16]] })), ['Color', 'Grayscale']);
  t.strictSame(colorModesOf(unit({ depths: [[1, 1]] })), ['BlackAndWhite']);
  t.strictSame(colorModesOf(unit({ depths: [] })), ['Color', 'Grayscale'], 'no depths');
});

t.test('unit: the scan area, in any unit of measure', async t => {
  t.same(areaOf(unit()), { width: 8.5, height: 14 });
  t.same(areaOf(unit({ unitOfMeasure: 1, width: 25.4, height: 2.54 })), { width: 10, height: 1 });
  t.same(areaOf(unit({ unitOfMeasure: 3, width: 72, height: 144 })), { width: 1, height: 2 });
  t.equal(areaOf(unit({ unitOfMeasure: 5 })), undefined, 'pixels are not a length');
  t.equal(measureOf(unit({ unitOfMeasure: 1 })), 0, 'inches if supported');
  t.equal(measureOf(unit({ unitOfMeasure: 1, unitsOfMeasure: [[1, 1]] })), 1);
});

t.test('unit: page sizes, those that fit the scan area', async t => {
  const sizes = pageSizesOf(unit({ width: 8.47, height: 11.69 }));
  t.ok(
    ['Letter', 'A4', 'A5', 'A6', 'B5', 'Auto', 'Executive'].every(size => (sizes as readonly string[]).includes(size)),
    'Letter within a millimetre',
  );
  t.notOk(sizes.includes('Legal') || sizes.includes('A3'));
  t.strictSame(pageSizesOf(unit({ unitOfMeasure: 5 })), ['Auto'], 'an unknown area');
});

t.test('unit: an invalid description, driver-failed', async t => {
  t.throws(() => readDescription({}), { code: 'driver-failed' });
  t.throws(() => readDescription({ units: [0], unit: 0, width: 'wide' }), { code: 'driver-failed' });
  t.same(readDescription({ units: [0, 3], unit: null }), { units: [0, 3], unit: undefined });
});
