/** Rotation by quarter turns and extraction, in every kind of pixels. */
import { testPage } from '@platen/conformance';
import t from 'tap';
import { extract } from './extract.js';
import { rotate90 } from './rotate90.js';
import { packed, unpacked, type Raster } from './raster.js';
import { pageOf } from '../samples.test.kit.js';

const kinds = ['rgb24', 'gray8', 'bw1'] as const;

function valueAt(raster: Raster, x: number, y: number): string {
  const { pixels, width, data } = pageOf(raster, 300);
  if (pixels === 'bw1') return String(unpacked(raster).data[y * width + x]);
  const channels = pixels === 'rgb24' ? 3 : 1;
  return data.subarray((y * width + x) * channels, (y * width + x + 1) * channels).join();
}

void t.test('rotate90: by 1, 2 and 3 quarters, every pixel in its place', async t => {
  for (const pixels of kinds) {
    for (const [width, height] of [
      [37, 21],
      [8, 3],
      [1, 40],
      [70, 1],
      [33, 64],
    ] as const) {
      const page = testPage({ width, height, pixels });
      const places = {
        1: (x: number, y: number) => [height - 1 - y, x],
        2: (x: number, y: number) => [width - 1 - x, height - 1 - y],
        3: (x: number, y: number) => [y, width - 1 - x],
      } as const;
      for (const quarters of [1, 2, 3] as const) {
        const result = rotate90(page, quarters);
        t.strictSame([result.width, result.height], quarters === 2 ? [width, height] : [height, width]);
        let wrong = 0;
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const [toX = 0, toY = 0] = places[quarters](x, y);
            if (valueAt(result, toX, toY) !== valueAt(page, x, y)) wrong++;
          }
        }
        t.equal(wrong, 0, `${pixels} ${width} x ${height} by ${quarters} quarters`);
      }
    }
  }
});

void t.test('extract: the pixels of the rectangle, padding bits 0', async t => {
  for (const pixels of kinds) {
    const page = testPage({ width: 61, height: 20, pixels });
    for (const box of [
      { left: 0, top: 0, right: 61, bottom: 20 },
      { left: 13, top: 4, right: 50, bottom: 19 },
      { left: 8, top: 0, right: 16, bottom: 1 },
      { left: 60, top: 19, right: 61, bottom: 20 },
    ]) {
      const result = extract(page, box);
      let wrong = 0;
      for (let y = 0; y < result.height; y++)
        for (let x = 0; x < result.width; x++)
          if (valueAt(result, x, y) !== valueAt(page, x + box.left, y + box.top)) wrong++;
      t.equal(wrong, 0, `${pixels} ${JSON.stringify(box)}`);
      if (pixels === 'bw1') t.strictSame(packed(unpacked(result)).data, result.data, 'padding bits are 0');
    }
  }
});
