/** What a format promises, case by case. */
import assert from 'node:assert/strict';
import { type DecodedImage, type Format, type RawPage, rowBytes } from '@platen/core/plugin';
import type { ContractCase } from './contractTest.js';
import {
  calmCall,
  copyOf,
  everyPixels,
  honoursAbort,
  keepsLoopFree,
  leavesAlone,
  oddSize,
  paddedAndPacked,
  wholePage,
} from './pageTrials.js';
import { difference } from './pixelValues.js';
import { testPage } from './testPages.js';
import { expectEqual, expectSame } from './driverCases/expect.js';

export interface FormatRig {
  readonly format: Format;
  /** Reads a file's own header, by other means than the format under test. */
  readBack?(bytes: Uint8Array): WrittenFacts | Promise<WrittenFacts>;
  dispose?(): Promise<void>;
}

export type KnownMagic = 'PNG' | 'JPEG' | 'TIFF' | 'BMP';

/** What a file says of itself. */
export interface WrittenFacts {
  readonly width: number;
  readonly height: number;
  /** Pixels per inch, rounded to a whole number; absent if the format stores none. */
  readonly dpi?: number;
  /** Bits per pixel: 1, 8 or 24. */
  readonly depth: number;
}

export interface FormatFeatures {
  /** Loses detail, and takes `quality` into account. */
  readonly lossy: boolean;
  /** Has `decode`. */
  readonly decodes: boolean;
  /** The rig has `readBack`. */
  readonly readsBack: boolean;
  /** Bits per pixel of a file made of a `bw1` page. */
  readonly bilevelDepth: 1 | 8 | 24;
  /** The same of a `gray8` page. Absent: 8. */
  readonly greyDepth?: 8 | 24;
  /** Absent: its files say their resolution. */
  readonly storesResolution?: boolean;
  /** How a file begins: its bytes, or a format whose beginning the suite knows. */
  readonly magic: Uint8Array | KnownMagic;
}

type FormatCase = ContractCase<FormatRig, FormatFeatures>;

const QUALITY = 95;
/**
 * Mean difference, in steps of 255, that loss at that quality may cause; a swapped channel causes ten times as much.
 */
const LOSS = 8;
/** Steps of the resolutions that scanners have. */
const RESOLUTIONS = [75, 96, 100, 120, 150, 200, 240, 250, 300, 400, 500, 600, 720, 1200];

const magics: Readonly<Record<KnownMagic, readonly string[]>> = {
  PNG: ['89504e470d0a1a0a'],
  JPEG: ['ffd8ff'],
  TIFF: ['49492a00', '4d4d002a'],
  BMP: ['424d'],
};

const needsDecode = (features: FormatFeatures) => (features.decodes ? undefined : 'the format does not decode');
const needsReadBack = (features: FormatFeatures) =>
  features.readsBack ? undefined : 'the rig does not read files back';

export const formatCases: readonly FormatCase[] = [
  {
    id: 'names',
    title: 'has a name, aliases in lower case and a MIME type',
    async run({ format: { name, aliases, mimeType } }) {
      assert.match(name, /^[A-Za-z0-9]+$/, 'name: letters and digits');
      assert.ok(aliases.length > 0, 'a format needs an alias, or its files have no ending');
      for (const alias of aliases) assert.match(alias, /^[a-z0-9]+$/, `alias ${alias}: lower-case letters and digits`);
      assert.match(mimeType, /^[a-z]+\/[a-z0-9.+-]+$/, 'mimeType');
    },
  },
  {
    id: 'magic-bytes',
    title: 'writes files that begin as their MIME type demands',
    // The types demand it; suites in JavaScript may lack it.
    untried: ({ magic }: Partial<FormatFeatures>) =>
      magic instanceof Uint8Array || Object.hasOwn(magics, String(magic))
        ? undefined
        : `features.magic does not say how a file begins: give its bytes, or ${Object.keys(magics).join(', ')}`,
    async run(rig, { magic }) {
      const known = typeof magic === 'string' ? magics[magic] : [Buffer.from(magic).toString('hex')];
      for (const pixels of everyPixels) {
        const start = Buffer.from((await encode(rig, testPage({ pixels }))).subarray(0, 16)).toString('hex');
        assert.ok(
          known.some(each => start.startsWith(each)),
          `a ${pixels} page's file begins with ${start}, not with ${known.join(' or ')}`,
        );
      }
    },
  },
  {
    id: 'pixels-survive',
    title: 'gives back the pixels that it was given',
    skip: needsDecode,
    async run(rig, { lossy }) {
      for (const pixels of everyPixels) {
        const page = testPage({ ...oddSize, pixels });
        const image = await decode(rig, await encode(rig, copyOf(page)));
        sized(image, page);
        const { worst, mean } = difference(page, image);
        if (lossy)
          assert.ok(
            mean <= LOSS,
            `a ${pixels} page at quality ${QUALITY} differs by ${mean.toFixed(1)} on average, more than ${LOSS}`,
          );
        else expectSame(worst, 0, `a ${pixels} page differs by up to ${worst}`);
      }
    },
  },
  {
    id: 'size-and-depth-stored',
    title: 'stores width, height and colour depth as they are',
    skip: needsReadBack,
    async run(rig, { bilevelDepth, greyDepth = 8 }) {
      for (const [pixels, depth] of [
        ['rgb24', 24],
        ['gray8', greyDepth],
        ['bw1', bilevelDepth],
      ] as const) {
        const file = await readBack(rig, await encode(rig, testPage({ ...oddSize, pixels })));
        const facts = { width: file.width, height: file.height, depth: file.depth };
        expectEqual(facts, { ...oddSize, depth }, `what the file of a ${pixels} page says`);
      }
    },
  },
  {
    id: 'resolution-stored',
    title: 'stores the resolution',
    skip: features =>
      features.storesResolution === false ? 'the format stores no resolution' : needsReadBack(features),
    async run(rig) {
      for (const pixels of everyPixels) {
        for (const dpi of RESOLUTIONS) {
          const facts = await readBack(rig, await encode(rig, testPage({ width: 9, height: 7, pixels, dpi })));
          expectSame(facts.dpi, dpi, `resolution in the file of a ${pixels} page`);
        }
      }
    },
  },
  {
    id: 'padding-left-out',
    title: "leaves the rows' padding out",
    hint: 'Take rows at y * stride, rowBytes(pixels, width) bytes each; packedRows(page) does it.',
    async run(rig) {
      for (const pixels of everyPixels) {
        const { padded, packed } = paddedAndPacked({ ...oddSize, pixels });
        await same(
          rig,
          await encode(rig, padded),
          await encode(rig, packed),
          `a ${pixels} page with padding and the same without`,
        );
      }
    },
  },
  {
    id: 'one-pixel-page',
    title: 'takes a page of one pixel',
    async run(rig) {
      for (const pixels of everyPixels) {
        const page = testPage({ width: 1, height: 1, pixels });
        const bytes = await encode(rig, page);
        assert.ok(bytes.length > 0, 'an empty file');
        if (rig.format.decode) sized(await decode(rig, bytes), page);
      }
    },
  },
  {
    id: 'page-not-written-to',
    title: "leaves the page's buffer as it was",
    hint: 'Copy the pixels before you change them, new Uint8Array(packedRows(page)): formats and recognisers read the same buffer.',
    async run(rig) {
      for (const pixels of everyPixels)
        await leavesAlone(testPage({ ...oddSize, pixels, padding: 2 }), page => encode(rig, page));
    },
  },
  {
    id: 'broken-file-refused',
    title: 'refuses to decode a file that ends early',
    skip: needsDecode,
    async run(rig) {
      for (const pixels of everyPixels) {
        const bytes = await encode(rig, testPage({ ...oddSize, pixels }));
        const half = bytes.slice(0, Math.floor(bytes.length * 0.6));
        await assert.rejects(
          async () => decode(rig, half),
          Error,
          `the first 60% of a ${pixels} page's file passed for a whole page`,
        );
      }
    },
  },
  {
    id: 'abort-honoured',
    title: "throws the signal's reason when abandoned",
    hint: 'Begin with signal.throwIfAborted(), and call it again after each await; hand the signal to what you wait for.',
    async run({ format }) {
      const page = testPage(oddSize);
      await honoursAbort('encode', call => format.encode(page, { quality: QUALITY }, call));
      const bytes = await format.encode(page, { quality: QUALITY }, calmCall());
      if (format.decode) await honoursAbort('decode', async call => format.decode?.(bytes, call));
    },
  },
  {
    id: 'event-loop-free',
    title: 'keeps the event loop free while it encodes',
    hint: "Do the work in a worker thread (core's startThread and createWorkerPool), or with a library's own threads: an await around work that is synchronous does not free the loop.",
    async run(rig) {
      for (const pixels of ['rgb24', 'gray8'] as const) {
        const page = wholePage(pixels);
        await keepsLoopFree(`encoding a ${pixels} page`, () => encode(rig, page));
      }
    },
  },
  {
    id: 'concurrent-encodes',
    title: 'keeps pages apart that are encoded at the same time',
    async run(rig) {
      const pages = [20, 31, 42, 53].flatMap(width =>
        everyPixels.map(pixels => testPage({ width, height: 85 - width, pixels })),
      );
      const together = await Promise.all(pages.map(page => encode(rig, copyOf(page))));
      for (const [i, page] of pages.entries()) {
        await same(
          rig,
          together[i]!,
          await encode(rig, copyOf(page)),
          `a ${page.pixels} page encoded beside others and alone`,
        );
      }
    },
  },
  {
    id: 'quality-honoured',
    title: 'writes a smaller file at a lower quality',
    skip: features => (features.lossy ? undefined : 'the format loses nothing'),
    async run(rig) {
      for (const pixels of ['rgb24', 'gray8'] as const) {
        const page = testPage({ width: 200, height: 200, pixels });
        const [low, high] = [await encode(rig, page, 10), await encode(rig, page, 95)];
        assert.ok(
          low.length < high.length,
          `a ${pixels} page takes ${low.length} bytes at quality 10 and ${high.length} at 95`,
        );
      }
    },
  },
];

function encode({ format }: FormatRig, page: RawPage, quality = QUALITY): Promise<Uint8Array> {
  return format.encode(page, { quality }, calmCall());
}

async function decode({ format }: FormatRig, bytes: Uint8Array): Promise<DecodedImage> {
  assert.ok(format.decode, 'features.decodes is true, so the format needs decode()');
  return format.decode(bytes, calmCall());
}

async function readBack(rig: FormatRig, bytes: Uint8Array) {
  assert.ok(rig.readBack, 'features.readsBack is true, so the rig needs readBack()');
  return rig.readBack(bytes);
}

function sized(image: DecodedImage, { width, height, pixels }: RawPage): void {
  expectEqual([image.width, image.height], [width, height], `size of the decoded ${pixels} page`);
  const row = rowBytes(image.pixels, width);
  assert.ok(
    image.stride >= row,
    `a stride of ${image.stride} bytes is too short for ${width} pixels of ${image.pixels}`,
  );
  assert.ok(
    image.data.length >= image.stride * (height - 1) + row,
    `${image.data.length} bytes are too few for ${width} x ${height} pixels`,
  );
}

/** Two files hold the same pixels; without decode, they are the same to the byte. */
async function same(rig: FormatRig, one: Uint8Array, other: Uint8Array, what: string): Promise<void> {
  if (!rig.format.decode) {
    assert.ok(Buffer.from(one).equals(other), `${what}: the files differ`);
    return;
  }
  const [a, b] = [await decode(rig, one), await decode(rig, other)];
  expectEqual([a.width, a.height], [b.width, b.height], `${what}: the sizes differ`);
  const { worst } = difference(a, b);
  expectSame(worst, 0, `${what}: the pixels differ by up to ${worst}`);
}
