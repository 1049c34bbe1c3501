/** Files that the formats write, read by independent programs: ImageMagick for all four, libtiff's tools for TIFF. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs, testPage, testPixel } from '@platen/conformance';
import { nullLog, type Format, type Pixels } from '@platen/core/plugin';
import bmp from '@platen/format-bmp';
import jpeg from '@platen/format-jpeg';
import png from '@platen/format-png';
import tiff from '@platen/format-tiff';
import t from 'tap';
import { fileOf, scan } from '../spec/calls.js';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';

const run = promisify(execFile);
const context = { log: nullLog, dataDir: '/' };
const call = { signal: new AbortController().signal };
const modes = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' } as const satisfies Record<string, Pixels>;
type Mode = keyof typeof modes;

interface Kind {
  readonly use: string;
  readonly mimeType: string;
  readonly begins: string;
  /** Asks ImageMagick for the bit depth in the file's header, not for the depth that its pixels need. */
  readonly depth: string;
  readonly says: Readonly<Record<Mode, RegExp>>;
  format(): Promise<Format>;
}

const kinds: Readonly<Record<string, Kind>> = {
  Png: {
    use: '@platen/format-png',
    mimeType: 'image/png',
    begins: 'PNG',
    depth: '%[png:IHDR.bit-depth-orig] bits, type %[png:IHDR.color-type-orig]',
    says: { Color: /^8 bits, type 2/, Grayscale: /^8 bits, type 0/, BlackAndWhite: /^1 bits, type 0/ },
    format: async () => contributed(await png.setup({ ...context, options: { compressionLevel: 2 } })),
  },
  Jpeg: {
    use: '@platen/format-jpeg',
    mimeType: 'image/jpeg',
    begins: 'JPEG',
    depth: '%z bits of %[jpeg:sampling-factor]',
    says: { Color: /^8 bits of 1x1,1x1,1x1$/, Grayscale: /^8 bits of 1x1$/, BlackAndWhite: /^8 bits of 1x1$/ },
    format: async () => contributed(await jpeg.setup({ ...context, options: {} })),
  },
  Tiff: {
    use: '@platen/format-tiff',
    mimeType: 'image/tiff',
    begins: 'TIFF',
    depth: '%z bits, %[tiff:photometric], %C',
    says: {
      Color: /^8 bits, RGB, LZW$/,
      Grayscale: /^8 bits, min-is-black, LZW$/,
      BlackAndWhite: /^1 bits, min-is-white, Group4$/,
    },
    format: async () => contributed(await tiff.setup({ ...context, options: { compression: 'lzw' } })),
  },
  Bmp: {
    use: '@platen/format-bmp',
    mimeType: 'image/bmp',
    begins: 'BMP',
    // With a palette the class is Pseudo; without one, 8 bits mean 8 bits per channel.
    depth: '%z bits, %r',
    says: { Color: /^8 bits, Direct/, Grayscale: /^8 bits, Pseudo/, BlackAndWhite: /^1 bits, Pseudo/ },
    format: async () => contributed(await bmp.setup({ ...context, options: {} })),
  },
};

for (const [name, kind] of Object.entries(kinds)) {
  void t.test(`ImageMagick reads ${name}: depth, size, resolution and every pixel are correct`, async t => {
    if (!needs(t, 'identify') || !needs(t, 'compare')) return;
    const format = await kind.format();
    const folder = t.testdir();
    const written: { readonly file: string; readonly what: string; readonly facts: object }[] = [];
    for (const [mode, pixels] of Object.entries(modes) as [Mode, Pixels][]) {
      for (const [width, height, dpi] of [
        [61, 47, 75],
        [64, 48, 240],
        [250, 33, 300],
        [1, 1, 1200],
      ] as const) {
        const bytes = await format.encode(testPage({ width, height, dpi, pixels }), { quality: 100 }, call);
        const file = await saved(folder, bytes, `${written.length}`);
        const what = `${mode}, ${width} x ${height} at ${dpi} dpi`;
        written.push({ file, what, facts: { begins: kind.begins, width, height, dpi, depth: kind.says[mode] } });
        const apart = await difference(file, ppm(pixels, width, height));
        t.ok(apart <= (name === 'Jpeg' ? 0.024 : 0), `${what}: the pixels differ by up to ${apart}`);
      }
    }
    const found = await identified(
      written.map(({ file }) => file),
      kind.depth,
    );
    t.equal(found.length, written.length);
    written.forEach(({ what, facts }, at) => t.match(found[at], facts, what));
  });
}

void t.test('libtiff reads Tiff: depth, size and resolution, 1-bit as G4 with white as zero', async t => {
  if (!needs(t, 'tiffinfo')) return;
  const format = await kinds['Tiff']!.format();
  const wanted = {
    Color: [
      /Bits\/Sample: 8\n/,
      /Samples\/Pixel: 3\n/,
      /Photometric Interpretation: RGB color/,
      /Compression Scheme: LZW/,
    ],
    Grayscale: [
      /Bits\/Sample: 8\n/,
      /Samples\/Pixel: 1\n/,
      /Photometric Interpretation: min-is-black/,
      /Compression Scheme: LZW/,
    ],
    BlackAndWhite: [
      /Bits\/Sample: 1\n/,
      /Samples\/Pixel: 1\n/,
      /Photometric Interpretation: min-is-white/,
      /Compression Scheme: CCITT Group 4/,
    ],
  };
  for (const [mode, pixels] of Object.entries(modes) as [Mode, Pixels][]) {
    for (const dpi of [75, 150, 200, 300, 600, 1200]) {
      const file = await saved(
        t.testdir(),
        await format.encode(testPage({ width: 61, height: 47, dpi, pixels }), { quality: 90 }, call),
      );
      // -d makes it decode every strip; it writes warnings about the file to stderr.
      const { stdout, stderr } = await run('tiffinfo', ['-d', file]);
      t.equal(stderr, '', 'no warning');
      for (const line of [
        /Image Width: 61 Image Length: 47/,
        new RegExp(`Resolution: ${dpi}, ${dpi} pixels/inch`),
        ...wanted[mode],
      ])
        t.match(stdout, line);
    }
  }
});

void t.test('answers: each image, opens as its declared type', async t => {
  if (!needs(t, 'identify')) return;
  const fixture = await start(t, virtualTopology, { formats: Object.values(kinds).map(({ use }) => use) });
  for (const [imageFormat, { mimeType, begins, depth, says }] of Object.entries(kinds)) {
    for (const [colorMode, resolution] of [
      ['Color', 100],
      ['Grayscale', 75],
      ['BlackAndWhite', 150],
    ] as const) {
      const { status, json } = await scan(fixture, 'flatbed', { imageFormat, colorMode, resolution });
      const image = json.images[0];
      if (status !== 200 || !image) return t.fail(`${imageFormat} in ${colorMode}: ${status} ${json.error}`);
      t.match(image, { format: imageFormat, mimeType, resolution });
      const file = await saved(t.testdir(), fileOf(image));
      const { width, height } = image;
      t.match(
        (await identified([file], depth))[0],
        { begins, width, height, dpi: resolution, depth: says[colorMode] },
        `${imageFormat} in ${colorMode}`,
      );
    }
  }
});

function contributed({ formats = [] }: { readonly formats?: readonly Format[] }): Format {
  return formats[0]!;
}

async function saved(folder: string, bytes: Uint8Array, name = 'page'): Promise<string> {
  // Without a file extension, so that a reader has only the content.
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
}

/** ImageMagick's facts about files; the resolution in whole pixels per inch, 0 if the directions differ. */
async function identified(files: readonly string[], depth: string) {
  const { stdout } = await run('identify', ['-format', `%m|%w|%h|%x|%y|%U|${depth}\n`, ...files]);
  return stdout.trim().split('\n').map(factsOf);
}

function factsOf(line: string) {
  const [begins = '', width, height, across = '', down = '', units = '', ...rest] = line.split('|');
  const inch = units === 'PixelsPerCentimeter' ? 2.54 : units === 'PixelsPerInch' ? 1 : NaN;
  const dpi = across === down ? Math.round(parseFloat(across) * inch) : 0;
  return {
    begins: begins.replace(/\d$/, ''),
    width: Number(width),
    height: Number(height),
    dpi,
    depth: rest.join('|'),
  };
}

/** The largest difference of a sample between two images, by ImageMagick: 0 to 1. */
async function difference(file: string, reference: Buffer): Promise<number> {
  const other = `${file}.ppm`;
  await writeFile(other, reference);
  // It exits with 1 if the images differ, and writes its answer to stderr: `514 (0.0078431)`.
  const { stderr } = await run('compare', ['-metric', 'PAE', file, other, 'null:']).catch(
    (error: { stderr: string }) => error,
  );
  return Number(/^\S+ \((\S+)\)$/.exec(stderr.trim())?.[1] ?? assert.fail(`compare: ${stderr}`));
}

/** The test page as PPM, the simplest format: a line of text, then three bytes per pixel. */
function ppm(pixels: Pixels, width: number, height: number): Buffer {
  const samples = Array.from({ length: width * height }, (_, i) => {
    const value = testPixel(pixels, i % width, Math.floor(i / width));
    const grey = pixels === 'bw1' ? (value[0] ? 0 : 255) : value[0]!;
    return pixels === 'rgb24' ? value : [grey, grey, grey];
  });
  return Buffer.concat([Buffer.from(`P6 ${width} ${height} 255\n`), Buffer.from(samples.flat())]);
}
