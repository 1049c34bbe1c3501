/** Deskewing every sample at every angle, and whole pages of high resolutions. */
import t from 'tap';
import { measuresAngles, straightens, WANTED } from './deskew.test.kit.js';
import { rotatedBy, sample, type SampleName } from './samples.test.kit.js';

for (const name of ['letter', 'invoice', 'labels', 'photo'] as const) {
  void t.test(`skewOf: ${name}, every angle within ${WANTED}°`, t =>
    measuresAngles(t, name, [-10, -7.3, -3.1, -0.7, -0.3, 0.5, 1.2, 5.8, 10]),
  );
}

void t.test('deskew: every kind of pixels, 75 to 600 dpi, sideways too, straight within 0.2°', async t => {
  const pages: readonly (readonly [SampleName, Parameters<typeof sample>[1], 0 | 1 | 2 | 3])[] = [
    ['letter', { skew: 3.4, pixels: 'gray8', dpi: 300 }, 0],
    ['letter', { skew: -6.2, pixels: 'bw1', dpi: 200 }, 0],
    ['invoice', { skew: 9.7, pixels: 'rgb24', dpi: 150 }, 0],
    ['letter', { skew: -0.6, pixels: 'gray8', dpi: 75 }, 2],
    ['photo', { skew: 2.2, pixels: 'bw1', dpi: 600 }, 0],
    ['letter', { skew: 4.5, pixels: 'rgb24', dpi: 100 }, 1],
    ['invoice', { skew: -8, pixels: 'gray8', dpi: 240 }, 3],
  ];
  for (const [name, drawing, quarters] of pages)
    straightens(t, rotatedBy(await sample(name, drawing), quarters), `${name} ${JSON.stringify(drawing)}`);
});
