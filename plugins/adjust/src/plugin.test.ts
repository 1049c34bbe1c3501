/** The plugin: its processors, and what they do to the pages they get. */
import { readFileSync } from 'node:fs';
import { testPage } from '@platen/conformance';
import { nullLog, type Processor, type RawPage } from '@platen/core/plugin';
import t, { type Test } from 'tap';
import plugin, { order, type AdjustOptions } from './plugin.js';
import { onBackground, pageOf, sample, rotatedBy } from './samples.test.kit.js';
import { rotateBilinear } from './raster/rotateBilinear.js';

const calm = { signal: new AbortController().signal };

async function processors(
  t: Test,
  options: Partial<AdjustOptions> = {},
): Promise<Record<Processor['adjustment'], Processor>> {
  const { processors: made = [], close } = await plugin.setup({
    options: { adjustments: order, threads: 2, ...options },
    log: nullLog,
    dataDir: '/',
  });
  t.teardown(() => close?.());
  return Object.fromEntries(made.map(each => [each.adjustment, each])) as Record<Processor['adjustment'], Processor>;
}

void t.test('setup: all processors or those of options.adjustments, in running order', async t => {
  t.strictSame(Object.keys(await processors(t)), [...order]);
  t.strictSame(Object.keys(await processors(t, { adjustments: ['color', 'deskew'] })), ['deskew', 'color']);
  t.strictSame(Object.keys(await processors(t, { adjustments: [] })), []);
});

void t.test('README.md: the table of options, the same defaults as the schema', async t => {
  const { properties } = plugin.optionsSchema as {
    properties: Record<string, { default: unknown; description: string }>;
  };
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  for (const [name, { default: value }] of Object.entries(properties)) {
    const row = readme.split('\n').find(line => line.startsWith(`| \`${name}\` |`)) ?? '';
    t.ok(row.endsWith(`| ${Array.isArray(value) ? 'all' : String(value)} |`), `${name}: ${row}`);
  }
});

void t.test('rotate, deskew, crop: a skewed sideways sheet on a dark background, upright and cropped', async t => {
  const { rotate, deskew, crop } = await processors(t);
  const letter = await sample('letter', { dpi: 150 });
  const dark = onBackground(letter, { left: 200, top: 200, right: 200, bottom: 200, colour: 20 });
  let page: RawPage = rotatedBy(
    pageOf(rotateBilinear(dark, -4, [20], { left: 0, right: 0, top: 0, bottom: 0 }), 150),
    1,
  );
  for (const processor of [rotate, deskew, crop]) {
    const result = await processor.apply(page, { colorMode: 'Grayscale' }, calm);
    t.equal(result.applied, true, `${processor.adjustment}: ${result.why}`);
    page = result.page;
  }
  t.ok(
    Math.abs(page.width - letter.width) < 12 && Math.abs(page.height - letter.height) < 12,
    `${page.width} x ${page.height} for ${letter.width} x ${letter.height}`,
  );
  // The logo in the head, and nothing where it would be upside-down.
  const dark80 = (left: number, top: number): number => {
    let count = 0;
    for (let y = top; y < top + 80; y++)
      for (let x = left; x < left + 80; x++) if (page.data[y * page.stride + x]! < 100) count++;
    return count;
  };
  t.ok(
    dark80(130, 100) > 3000 && dark80(page.width - 210, page.height - 180) < 500,
    `${dark80(130, 100)} dark pixels in the logo`,
  );
});

void t.test('apply: shared, sliced and padded buffers, not detached', async t => {
  const { turn } = await processors(t);
  const plain = testPage({ pixels: 'gray8' });
  const shared = new Uint8Array(new SharedArrayBuffer(plain.data.length));
  shared.set(plain.data);
  const larger = new Uint8Array(plain.data.length + 100);
  larger.set(plain.data, 50);
  for (const data of [plain.data, shared, larger.subarray(50, 50 + plain.data.length), Buffer.from(plain.data)]) {
    const { page } = await turn.apply({ ...plain, data }, { colorMode: 'Color' }, calm);
    t.equal(data.length, plain.data.length, 'not detached');
    t.strictSame([...page.data.subarray(0, 3)], [...plain.data.subarray(-3)].reverse());
  }
  const padded = testPage({ pixels: 'gray8', padding: 7 });
  t.strictSame(
    (await turn.apply(padded, { colorMode: 'Color' }, calm)).page.data,
    (await turn.apply(plain, { colorMode: 'Color' }, calm)).page.data,
  );
});

void t.test('apply: sheet, side, dpi and adjusted, unchanged', async t => {
  const { turn } = await processors(t);
  const { page } = await turn.apply(
    { ...testPage({ sheet: 3, side: 'back', dpi: 240 }), adjusted: ['crop'] },
    { colorMode: 'Color' },
    calm,
  );
  t.match(page, { kind: 'raw', sheet: 3, side: 'back', dpi: 240, adjusted: ['crop'] });
});

void t.test('color: a page without more colour, not applied', async t => {
  const { color } = await processors(t);
  const page = testPage({ pixels: 'bw1' });
  t.strictSame(await color.apply(page, { colorMode: 'Grayscale' }, calm), {
    page,
    applied: false,
    why: 'the page has no more colour than Grayscale',
  });
});

void t.test('A3 at 600 dpi in 1-bit: every processor, the size unchanged', async t => {
  const made = await processors(t);
  const [width, height] = [7016, 9921];
  const page: RawPage = {
    ...testPage({ pixels: 'bw1', dpi: 600 }),
    width,
    height,
    stride: width / 8,
    data: new Uint8Array((width / 8) * height),
  };
  for (let y = 3000; y < 6000; y++) page.data.fill(0xff, y * page.stride + 200, y * page.stride + 600);
  for (const processor of Object.values(made)) {
    const { page: result } = await processor.apply(page, { colorMode: 'BlackAndWhite' }, calm);
    t.strictSame([result.width, result.height], [width, height], processor.adjustment);
  }
});
