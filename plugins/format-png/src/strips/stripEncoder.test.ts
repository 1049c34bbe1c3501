/** Grey and coloured pages as PNG: the pixels of every page are in its file, and it is no larger than sharp's. */
import { needs } from '@platen/conformance';
import type { RawPage } from '@platen/core/plugin';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import t from 'tap';
import { pngFile } from '../pngFile.test.kit.js';
import { kinds, numbers, pageOf, type Pixel } from './pages.test.kit.js';
import { createStripEncoder } from './stripEncoder.js';

const encoder = createStripEncoder();
t.teardown(encoder.close);
const { signal } = new AbortController();
const both = ['gray8', 'rgb24'] as const;

/** Rows without padding. */
const packed = ({ data, width, height, stride, pixels }: RawPage): Buffer => {
  const bytes = width * (pixels === 'rgb24' ? 3 : 1);
  return Buffer.concat(Array.from({ length: height }, (_, y) => data.subarray(y * stride, y * stride + bytes)));
};
const decoded = ({ pixels }: RawPage, file: Uint8Array): Promise<Buffer> =>
  sharp(file, { limitInputPixels: false, failOn: 'warning' })
    .toColourspace(pixels === 'rgb24' ? 'srgb' : 'b-w')
    .raw()
    .toBuffer();

async function survives(page: RawPage): Promise<boolean> {
  return packed(page).equals(await decoded(page, await encoder.encode(page, signal)));
}

t.test('pixels: whatever is on the page', async t => {
  const pure = kinds['pure noise']!;
  for (const pixels of both) {
    for (const [name, pixel] of Object.entries(kinds))
      t.ok(await survives(pageOf(pixels, 800, 700, pixel)), `${name}, ${pixels}`);
    t.ok(await survives(pageOf(pixels, 1, 1, pure)), `1 × 1, ${pixels}`);
    t.ok(await survives(pageOf(pixels, 1, 20_000, pure)), `1 × 20,000, ${pixels}`);
    t.ok(await survives(pageOf(pixels, 20_000, 1, pure)), `20,000 × 1, ${pixels}`);
  }
});

t.test('pixels: rows longer than a strip', async t => {
  t.ok(await survives(pageOf('rgb24', 450_000, 3, kinds['text']!)));
  t.ok(await survives(pageOf('rgb24', 450_000, 2, kinds['clean']!)));
});

t.test('pixels: every width from 1 to 100, with padded rows', async t => {
  const wrong: string[] = [];
  const random = numbers(1);
  const names = Object.keys(kinds);
  for (let width = 1; width <= 100; width++) {
    const name = names[width % names.length]!;
    const page = pageOf(both[width & 1]!, width, 1 + Math.floor(random() * 90), kinds[name]!, width % 5);
    if (!(await survives(page))) wrong.push(`${name}, ${page.pixels}, ${width} × ${page.height}`);
  }
  t.same(wrong, []);
});

t.test('pixels: at each boundary of strips', async t => {
  const wrong: string[] = [];
  for (const [pixels, width] of [
    ['rgb24', 2480],
    ['gray8', 5000],
  ] as const) {
    const row = width * (pixels === 'rgb24' ? 3 : 1);
    for (const rows of [Math.floor((512 * 1024) / (row + 1)), Math.floor((1024 * 1024) / row)])
      for (const height of [rows - 1, rows, rows + 1, 2 * rows, 2 * rows + 1])
        if (!(await survives(pageOf(pixels, width, height, kinds['gradient']!))))
          wrong.push(`${pixels}, ${height} rows`);
  }
  t.same(wrong, []);
});

t.test('pixels: ImageMagick and pngcheck read them, too', async t => {
  if (!needs(t, 'convert') || !needs(t, 'pngcheck')) return;
  const folder = t.testdir();
  for (const pixels of both)
    for (const name of ['text', 'clean', 'pure noise']) {
      const page = pageOf(pixels, 1100, 900, kinds[name]!);
      const file = join(folder, 'page.png');
      writeFileSync(file, await encoder.encode(page, signal));
      execFileSync('pngcheck', ['-q', file]);
      const raw = execFileSync('convert', [file, '-depth', '8', pixels === 'rgb24' ? 'rgb:-' : 'gray:-'], {
        maxBuffer: 1e8,
      });
      t.ok(packed(page).equals(raw), `${name}, ${pixels}`);
    }
});

t.test('size: at most a twentieth larger than that of zlib, and that of a photo much smaller', async t => {
  // What repeats exactly across the page's strips zlib finds once, and we once in each.
  const most: Readonly<Record<string, number>> = { photo: 0.65, text: 1, clean: 1.3 };
  for (const pixels of both)
    for (const [name, pixel] of Object.entries(kinds)) {
      // A pattern that zlib finds once, and we once in each strip, needs a page of several.
      const [width, height] = name === 'checkerboard' ? [1240, 1754] : [744, 1052];
      const page = pageOf(pixels, width, height, pixel as Pixel);
      const raw = {
        width: page.width,
        height: page.height,
        channels: pixels === 'rgb24' ? (3 as const) : (1 as const),
      };
      const image = sharp(packed(page), { raw });
      if (raw.channels === 1) image.toColourspace('b-w');
      const theirs = await image.png({ compressionLevel: 2, adaptiveFiltering: false }).toBuffer();
      const ours = await encoder.encode(page, signal);
      const part = ours.length / theirs.length;
      t.ok(part <= (most[name] ?? 1.05), `${name}, ${pixels}: ${part.toFixed(2)}, ${ours.length} of ${theirs.length}`);
    }
});

t.test('file: its chunks, and the page is as it was', async t => {
  const page = pageOf('rgb24', 900, 900, kinds['text']!);
  const before = Buffer.from(page.data);
  const { chunks, bitDepth, colourType } = pngFile(await encoder.encode(page, signal));
  t.same([...new Set(chunks)], ['IHDR', 'pHYs', 'IDAT', 'IEND']);
  t.same({ bitDepth, colourType }, { bitDepth: 8, colourType: 2 });
  t.ok(before.equals(page.data));
});

t.test('abandoned: rejects with the reason; the next page is whole', async t => {
  const page = pageOf('rgb24', 2000, 2000, kinds['gradient']!);
  const control = new AbortController();
  const encoding = encoder.encode(page, control.signal);
  setImmediate(() => control.abort(new Error('enough')));
  await t.rejects(encoding, { message: 'enough' });
  t.ok(await survives(page));
});

t.test('closed: rejects, also what waits', async t => {
  const own = createStripEncoder();
  const page = pageOf('gray8', 2000, 3000, kinds['gradient']!);
  const encoding = own.encode(page, signal);
  encoding.catch(() => undefined);
  await own.close();
  await t.rejects(encoding, { message: 'the plugin was closed' });
  await t.rejects(own.encode(page, signal), { message: 'the plugin was closed' });
});

t.test('a thread that dies: an error, and the next page has another thread', async t => {
  const folder = t.testdir({
    'thread.mjs': `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', () => process.exit(1));`,
  });
  const own = createStripEncoder(new URL(`file://${join(folder, 'thread.mjs')}`));
  t.teardown(own.close);
  const page = pageOf('gray8', 100, 100, kinds['gradient']!);
  for (let time = 0; time < 2; time++)
    await t.rejects(own.encode(page, signal), { message: 'the thread that encoded a page died' });
});
