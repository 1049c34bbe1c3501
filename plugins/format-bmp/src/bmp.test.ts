/** The format Bmp: the published suite, and its files parsed by hand. */
import { randomFillSync } from 'node:crypto';
import { formatContract, testPage, testPixel } from '@platen/conformance';
import { nullLog, type RawPage } from '@platen/core/plugin';
import t from 'tap';
import { bmpFormat } from './bmp.js';
import { bmpHeader } from './header.js';
import plugin from './plugin.js';
import { bmpFile } from './bmpFile.test.kit.js';

const format = bmpFormat();
const call = { signal: new AbortController().signal };
const encode = (page: RawPage) => format.encode(page, { quality: 90 }, call);

void t.test('the published suite', t =>
  formatContract(t, {
    make: async () => ({ format: bmpFormat(), readBack: bmpFile }),
    features: { lossy: false, decodes: true, readsBack: true, bilevelDepth: 1, magic: 'BMP' },
  }),
);

void t.test('encode: every width of a padded row, the same pixels', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (const [width, height] of [
      [1, 1],
      [2, 3],
      [3, 2],
      [4, 5],
      [7, 300],
      [8, 1],
      [31, 2],
      [32, 2],
      [33, 2],
      [61, 47],
      [64, 9],
    ] as const) {
      for (const padding of [0, 5]) {
        const page = testPage({ width, height, pixels, padding });
        const file = bmpFile(await encode({ ...page, data: page.data.subarray(0, page.data.length - padding) }));
        const wrong: string[] = [];
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const value = testPixel(pixels, x, y);
            const grey = pixels === 'bw1' ? (value[0] ? 0 : 255) : value[0]!;
            const wanted = pixels === 'rgb24' ? value : [grey, grey, grey];
            if (file.at(x, y).join() !== wanted.join())
              wrong.push(`${x},${y}: ${file.at(x, y).join()} not ${wanted.join()}`);
          }
        }
        t.strictSame(wrong.slice(0, 3), [], `${pixels} ${width} x ${height}, padding ${padding}`);
        t.ok(file.cleanPadding, 'nothing of the page between the rows');
      }
    }
  }
});

void t.test('encode: four pixels, byte by byte', async t => {
  const data = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  const bytes = await encode({ ...testPage({ dpi: 254 }), width: 2, height: 2, stride: 6, data });
  t.equal(
    Buffer.from(bytes).toString('hex'),
    [
      '424d',
      '46000000',
      '00000000',
      '36000000',
      '28000000',
      '02000000',
      '02000000',
      '0100',
      '1800',
      '00000000',
      '10000000',
      '10270000',
      '10270000',
      '00000000',
      '00000000',
      '0908070c0b0a0000',
      '0302010605040000',
    ].join(''),
  );
});

void t.test('encode: every colour, unchanged', async t => {
  const data = new Uint8Array(256 * 3 * 3);
  for (let value = 0; value < 256; value++)
    for (let band = 0; band < 3; band++) data[(band * 256 + value) * 3 + band] = value;
  const file = bmpFile(await encode({ ...testPage(), width: 256, height: 3, stride: 256 * 3, data }));
  for (let value = 0; value < 256; value++) {
    const seen = [0, 1, 2].map(y => file.at(value, y).join()).join(' ');
    if (seen !== `${value},0,0 0,${value},0 0,0,${value}`) t.fail(`${value}: ${seen}`);
  }
});

void t.test('palette: 1 is black, a grey level is its own index', async t => {
  const page: RawPage = {
    ...testPage({ pixels: 'bw1' }),
    width: 12,
    height: 2,
    stride: 2,
    data: Uint8Array.of(0xff, 0xf0, 0, 0),
  };
  const file = bmpFile(await encode(page));
  t.strictSame(
    [file.at(0, 0), file.at(11, 0), file.at(0, 1), file.at(11, 1)],
    [
      [0, 0, 0],
      [0, 0, 0],
      [255, 255, 255],
      [255, 255, 255],
    ],
  );
  t.strictSame(
    bmpFile(await encode(testPage({ pixels: 'gray8' }))).palette,
    Array.from({ length: 256 }, (_, i) => i),
  );
});

void t.test('resolution: the nearest integer of pixels per metre', async t => {
  for (const pixels of ['rgb24', 'gray8', 'bw1'] as const) {
    for (let dpi = 75; dpi <= 1200; dpi += 25) {
      const { perMetre } = bmpFile(await encode(testPage({ width: 3, height: 3, pixels, dpi })));
      const wanted = Math.round(dpi / 0.0254);
      if (perMetre[0] !== wanted || perMetre[1] !== wanted)
        t.fail(`${pixels} at ${dpi} dpi: ${perMetre.join(' x ')}, not ${wanted}`);
    }
  }
});

void t.test('encode: pages larger than one piece, the same pixels', async t => {
  for (const [pixels, width, height, stride] of [
    ['rgb24', 1237, 1601, 3720],
    ['gray8', 1237, 701, 1240],
    ['bw1', 4967, 3001, 624],
  ] as const) {
    const page: RawPage = {
      ...testPage({ pixels }),
      width,
      height,
      stride,
      data: randomFillSync(new Uint8Array(stride * height)),
    };
    const bytes = Buffer.from(await encode(page));
    const { depth } = bmpFile(bytes);
    const [row, rowOfFile] = [Math.ceil((width * depth) / 8), Math.ceil((width * depth) / 32) * 4];
    const wrong: number[] = [];
    for (let y = 0; y < height; y++) {
      const wanted = Buffer.from(page.data.subarray(y * stride, y * stride + row));
      if (depth === 24) for (let at = 0; at < row; at += 3) wanted.subarray(at, at + 3).reverse();
      const from = bytes.length - (y + 1) * rowOfFile;
      if (!wanted.equals(bytes.subarray(from, from + row))) wrong.push(y);
    }
    t.strictSame(wrong.slice(0, 3), [], `rows of ${pixels}`);
  }
});

void t.test('encode: a row wider than one piece, the same pixels', async t => {
  const page = testPage({ width: 800_000, height: 2 });
  const file = bmpFile(await encode(page));
  t.strictSame(file.at(799_999, 1), testPixel('rgb24', 799_999, 1));
});

void t.test('encode: aborted on its way, rejects with the reason', async t => {
  for (const pixels of ['rgb24', 'gray8'] as const) {
    const page: RawPage = {
      ...testPage({ pixels }),
      width: 2048,
      height: 4096,
      stride: 6144,
      data: new Uint8Array(6144 * 4096),
    };
    const controller = new AbortController();
    const reason = new Error('enough');
    setImmediate(() => controller.abort(reason));
    await t.rejects(format.encode(page, { quality: 90 }, { signal: controller.signal }), reason);
  }
});

void t.test('encode: a page too large for a BMP, RangeError', async t => {
  const page = { pixels: 'rgb24', width: 40_000, height: 40_000, dpi: 1200 } as const;
  t.throws(() => bmpHeader(page), /up to 4294967295 bytes; the page, 40000 x 40000 in rgb24, needs 4800000054/);
});

void t.test('decode: not a BMP of ours, TypeError', async t => {
  const bytes = Buffer.from(await encode(testPage({ pixels: 'gray8' })));
  const changed = (at: number, value: number): Buffer => {
    const other = Buffer.from(bytes);
    other[at] = value;
    return other;
  };
  const wrong = {
    empty: Buffer.alloc(0),
    PNG: Buffer.concat([Buffer.from('PNG'), bytes]),
    truncated: bytes.subarray(0, -1),
    compressed: changed(30, 1),
    '4 bits': changed(28, 4),
    'a coloured palette': changed(60, 200),
  };
  for (const [name, file] of Object.entries(wrong)) await t.rejects(format.decode!(file, call), TypeError, name);
});

void t.test('decode: a page larger than one piece, the same pixels; aborted, rejects with the reason', async t => {
  for (const pixels of ['rgb24', 'gray8'] as const) {
    const row = pixels === 'rgb24' ? 1237 * 3 : 1237;
    const page: RawPage = { ...testPage({ pixels }), width: 1237, height: 2003, stride: row, data: new Uint8Array(0) };
    const data = randomFillSync(new Uint8Array(row * page.height));
    const file = await encode({ ...page, data });
    t.ok(Buffer.from((await format.decode!(file, call)).data).equals(data), pixels);
    const controller = new AbortController();
    const reason = new Error('enough');
    queueMicrotask(() => controller.abort(reason));
    await t.rejects(format.decode!(file, { signal: controller.signal }), reason);
  }
});

void t.test('plugin: contributes the format', async t => {
  const { formats } = await plugin.setup({ options: {}, log: nullLog, dataDir: '/' });
  t.strictSame(
    formats?.map(({ name, aliases, mimeType }) => [name, aliases, mimeType]),
    [['Bmp', ['bmp'], 'image/bmp']],
  );
});
