/** Decode passes: luminance of every kind of pixels, and no more passes than a caller pulls. */
import t from 'tap';
import { decodePasses } from './decodePasses.js';
import { luminance, shrunkSize } from './luminance.js';
import { closeCodes, sheet } from './pages.test.kit.js';
import { read, zxing } from './reader.test.kit.js';
import { applyTable, stretchTable } from './thresholding.js';

t.test('luminance: every kind of pixels, weighted colour without padding, which the last row may lack', async t => {
  const of = (
    pixels: 'rgb24' | 'gray8' | 'bw1',
    width: number,
    height: number,
    stride: number,
    data: number[],
    shrink = 1,
  ) => {
    const size = shrunkSize({ width, height }, shrink);
    const to = new Uint8Array(size.width * size.height);
    luminance({ pixels, width, height, stride, data: Uint8Array.from(data) }, shrink, to);
    return [...to];
  };
  t.strictSame(of('rgb24', 2, 2, 8, [255, 255, 255, 0, 0, 0, 9, 9, 255, 0, 0, 0, 255, 0]), [255, 0, 77, 149]);
  t.strictSame(of('gray8', 3, 2, 4, [1, 2, 3, 99, 4, 5, 6]), [1, 2, 3, 4, 5, 6]);
  t.strictSame(of('bw1', 10, 2, 2, [0b10100000, 0b01000000, 0xff, 0xff]), [
    0,
    255,
    0,
    255,
    255,
    255,
    255,
    255,
    255,
    0,
    ...Array<number>(10).fill(0),
  ]);
  t.strictSame(
    of('gray8', 5, 4, 5, [0, 2, 10, 10, 99, 4, 6, 10, 10, 99, 1, 1, 0, 255, 99, 1, 1, 255, 0, 99], 2),
    [3, 10, 1, 127],
    'averages squares, drops the odd column',
  );
  t.strictSame(of('gray8', 1, 1, 1, [7], 4), [7], 'smaller than a square');
});

t.test('applyTable: a large image of odd size, the same as pixel by pixel', async t => {
  const image = Uint8Array.from({ length: 1001 * 1003 }, (_, i) => (i * 7919) % 251);
  const table = stretchTable(90, true);
  const expected = image.map(level => table[level]!);
  applyTable(table, image);
  t.ok(Buffer.from(image).equals(Buffer.from(expected)));
});

t.test('decodePasses: a caller that stops at the first code, no further passes', async t => {
  const page = await sheet({ ...closeCodes(), dpi: 200 });
  const options = { page, formats: [], thorough: true };
  let pulled = 0;
  for (const found of decodePasses(zxing, { ...options, steps: true })) {
    pulled++;
    if (found.length > 0) break;
  }
  t.equal(pulled, 1, 'the cheapest pass detects one');
  const all = [...decodePasses(zxing, { ...options, steps: false })].length;
  t.ok(all > 1, `${all} passes in all`);
  t.equal(read(page, { stopAfterFirst: true }).length, 1);
  t.strictSame(
    read(page, { stopAfterFirst: true, formats: ['Aztec'] }).map(({ barcodeType }) => barcodeType),
    ['AZTEC'],
  );
  t.strictSame(read(await sheet({ width: 60, height: 60 }), { stopAfterFirst: true }), []);
});

t.test('readPage: narrow, flat and tiny pages at 1 to 1200 dpi, no barcode and no error', async t => {
  for (const [width, height] of [
    [1, 500],
    [500, 1],
    [15, 15],
    [17, 33],
  ] as const) {
    for (const dpi of [1, 300, 1200]) {
      const page = {
        kind: 'raw',
        sheet: 1,
        side: 'front',
        width,
        height,
        dpi,
        pixels: 'gray8',
        stride: width,
        data: new Uint8Array(width * height).fill(200),
      } as const;
      t.strictSame(read(page, { filterLevel: 'Low' }), [], `${width} x ${height} at ${dpi} dpi`);
    }
  }
});
