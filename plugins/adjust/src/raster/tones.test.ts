/** Controls in software: area, brightness, contrast, threshold. */
import { testPage, testPixel } from '@platen/conformance';
import t from 'tap';
import { adjustPage, type AdjustRequest } from '../adjustPage.js';
import { idleReason } from '../processor.js';
import { pageOf } from '../samples.test.kit.js';
import type { Raster } from './raster.js';

function made(request: Partial<AdjustRequest> & Pick<AdjustRequest, 'adjustment' | 'page'>): Raster {
  const result = adjustPage({ dpi: 254, colorMode: 'Color', ...request });
  if ('why' in result) throw new Error(result.why);
  return result.page;
}
const grey = (...data: number[]) =>
  pageOf({ pixels: 'gray8', width: data.length, height: 1, data: Uint8Array.from(data) }, 254);

void t.test('brightness, contrast: by level, cut at black and white; 0 changes nothing', async t => {
  const page = grey(0, 64, 127, 128, 200, 255);
  const levels = (wish: Partial<AdjustRequest>) => {
    const adjustment = wish.brightness === undefined ? 'contrast' : 'brightness';
    return [...made({ adjustment, page, ...wish }).data];
  };
  t.same(levels({ brightness: 0 }), [0, 64, 127, 128, 200, 255]);
  t.same(levels({ contrast: 0 }), [0, 64, 127, 128, 200, 255]);
  t.same(levels({ brightness: 20 }), [51, 115, 178, 179, 251, 255]);
  t.same(levels({ brightness: -100 }), [0, 0, 0, 0, 0, 0]);
  t.same(levels({ brightness: 100 }), [255, 255, 255, 255, 255, 255]);
  t.same(levels({ contrast: 100 }), [0, 0, 0, 255, 255, 255]);
  const [black = 0, , , , , white = 0] = levels({ contrast: -50 });
  t.ok(black > 60 && white < 195, `${black} to ${white}`);
});

void t.test('threshold: what is darker is black, of grey and of colour', async t => {
  const bits = (threshold: number, page = grey(0, 99, 100, 255)) =>
    made({ adjustment: 'threshold', page, threshold }).data[0];
  t.equal(bits(100), 0b1100_0000);
  t.equal(bits(0), 0);
  t.equal(bits(255), 0b1110_0000);
  const red = pageOf({ pixels: 'rgb24', width: 1, height: 1, data: Uint8Array.of(255, 0, 0) }, 254);
  t.same([bits(78, red), bits(77, red)], [0b1000_0000, 0]);
});

void t.test('area: its pixels in their place, in every kind of pixels; white beyond the page', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    const page = testPage({ pixels, width: 64, height: 48 });
    const area = { x: 1.1, y: 2, width: 2.5, height: 0.5 };
    const cut = made({ adjustment: 'area', page, area });
    t.same([cut.width, cut.height], [25, 5], pixels);
    t.same(valueAt(cut, 3, 2), testPixel(pixels, 14, 22), pixels);
    const beyond = made({ adjustment: 'area', page, area: { x: 6, y: 4, width: 1.3, height: 2 } });
    t.same([beyond.width, beyond.height], [13, 20], pixels);
    t.same(valueAt(beyond, 3, 7), testPixel(pixels, 63, 47), pixels);
    const white = pixels === 'bw1' ? [0] : testPixel(pixels, 0, 0).map(() => 255);
    for (const [x, y] of [
      [4, 7],
      [12, 0],
      [0, 8],
      [12, 19],
    ] as const)
      t.same(valueAt(beyond, x, y), white, `${pixels} ${x} ${y}`);
    const outside = made({ adjustment: 'area', page, area: { x: 10, y: 0, width: 1, height: 1 } });
    t.same([outside.width, ...valueAt(outside, 9, 9)], [10, ...white], pixels);
  }
});

void t.test('idleReason: nothing requested, and levels of 1-bit pages', async t => {
  const wish = { colorMode: 'BlackAndWhite', brightness: 1, area: { x: 0, y: 0, width: 1, height: 1 } } as const;
  t.equal(idleReason('brightness', { pixels: 'gray8' }, wish), undefined);
  t.match(idleReason('brightness', { pixels: 'bw1' }, wish), /1-bit/);
  t.match(idleReason('threshold', { pixels: 'gray8' }, wish), /threshold/);
  t.equal(idleReason('area', { pixels: 'bw1' }, wish), undefined);
  t.equal(idleReason('turn', { pixels: 'bw1' }, wish), undefined);
});

function valueAt({ pixels, width, data }: Raster, x: number, y: number): number[] {
  if (pixels === 'bw1') return [(data[y * Math.ceil(width / 8) + (x >> 3)]! >> (7 - (x & 7))) & 1];
  const channels = pixels === 'rgb24' ? 3 : 1;
  return [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)];
}
