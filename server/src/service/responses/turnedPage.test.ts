/** Turned pages: each pixel in its place, whatever the depth. */
import { fakeFormat, testPage, testPixel } from '@platen/conformance';
import { createSemaphore, type Pixels, type Turn } from '@platen/core';
import t from 'tap';
import { storedBytes } from './storedBytes.test.kit.js';
import { turnedPage } from './turnedPage.js';

const { signal } = new AbortController();
const mimeType = 'image/x-fake';
/** No multiple of 8 in either direction. */
const [width, height] = [53, 37];

const fileOf = async (pixels: Pixels, format = fakeFormat({ mimeType })) =>
  format.encode(testPage({ width, height, dpi: 240, pixels, padding: 3 }), { quality: 90 }, { signal });

/** Where the pixel of a turned page was before. */
const before: Readonly<Record<Turn, (x: number, y: number) => readonly [x: number, y: number]>> = {
  0: (x, y) => [x, y],
  90: (x, y) => [y, height - 1 - x],
  180: (x, y) => [width - 1 - x, height - 1 - y],
  270: (x, y) => [width - 1 - y, x],
};

for (const pixels of ['rgb24', 'gray8', 'bw1'] as const)
  t.test(`turned page: each pixel of ${pixels} in its place, with depth and resolution`, async t => {
    const format = fakeFormat({ mimeType });
    const parts = { pool: createSemaphore(1), formats: [fakeFormat({ name: 'Other' }), format] };
    const stored = storedBytes(await fileOf(pixels), { mimeType, dpi: 240, sheet: 1, side: 'front' });
    for (const turn of [90, 180, 270] as const) {
      const bytes = await turnedPage(stored, turn, parts, signal);
      const size = turn === 180 ? { width, height } : { width: height, height: width };
      const [header = ''] = Buffer.from(bytes).toString('latin1').split('\n', 1);
      t.match(JSON.parse(header), { ...size, dpi: 240, pixels }, `${turn}`);
      const page = await format.decode!(bytes, { signal });
      const wrong: string[] = [];
      for (let y = 0; y < size.height; y++)
        for (let x = 0; x < size.width; x++) {
          const at = y * page.stride;
          const bit = ((page.data[at + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
          const found = {
            rgb24: [...page.data.subarray(at + x * 3, at + x * 3 + 3)],
            gray8: [page.data[at + x]],
            bw1: [bit],
          };
          if (String(found[pixels]) !== String(testPixel(pixels, ...before[turn](x, y)))) wrong.push(`${x},${y}`);
        }
      t.same(wrong, [], `${turn}`);
    }
  });

t.test('turned page: nothing decodes the format, an invalid value; a damaged page, its own error', async t => {
  const format = fakeFormat({ mimeType });
  const { decode: _, ...blind } = format;
  const pool = createSemaphore(1);
  const file = await fileOf('gray8');
  for (const formats of [[], [blind], [fakeFormat()]])
    await t.rejects(turnedPage(storedBytes(file, { mimeType }), 90, { pool, formats }, signal), {
      code: 'invalid-value',
      field: 'rotate',
    });
  const damaged = storedBytes(file, { mimeType }, () => Promise.reject(new Error('damaged')));
  await t.rejects(turnedPage(damaged, 90, { pool, formats: [format] }, signal), { message: 'damaged' });
});

t.test('turned page: encoded with quality 95, one at a time in one place', async t => {
  const format = fakeFormat({ mimeType });
  const qualities: number[] = [];
  let [now, most] = [0, 0];
  const watched = {
    ...format,
    async encode(...[page, options, call]: Parameters<typeof format.encode>) {
      qualities.push(options.quality);
      most = Math.max(most, ++now);
      const bytes = await format.encode(page, options, call);
      now--;
      return bytes;
    },
  };
  const parts = { pool: createSemaphore(1), formats: [watched] };
  const file = await fileOf('rgb24');
  await Promise.all([1, 2, 3].map(() => turnedPage(storedBytes(file, { mimeType }), 90, parts, signal)));
  t.same(qualities, [95, 95, 95]);
  t.equal(most, 1);
});
