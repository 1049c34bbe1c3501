/** Drivers whose pages are not what they say, and drivers that do what is not theirs to do. */
import { type EncodedPage, type Page, toBilevelTiff } from '@platen/core/plugin';
import type { FakeDriverOptions } from '../fakeDriver.js';
import { fakeRig } from '../fakeRig.js';
import { testJpeg } from '../testJpeg.js';
import { testPage } from '../testPages.js';
import { withPages, withScan, type BrokenDriver } from './brokenDriver.js';

const encoded: NonNullable<FakeDriverOptions['encoded']> = {
  mimeType: 'image/tiff',
  data: toBilevelTiff(testPage({ pixels: 'bw1' })),
  width: 64,
  height: 48,
  pixels: 'bw1',
};
const wholeJpeg = testJpeg({ width: 64, height: 48 });
const jpeg: NonNullable<FakeDriverOptions['encoded']> = {
  mimeType: 'image/jpeg',
  data: wholeJpeg.file,
  width: 64,
  height: 48,
  pixels: 'rgb24',
};
const eoi = Uint8Array.from([0xff, 0xd9]);

function halved(page: Page, end: Uint8Array = new Uint8Array()): Page {
  return { ...page, data: Buffer.concat([page.data.subarray(0, (wholeJpeg.dataAt + page.data.length) >> 1), end]) };
}

const shared = new Uint8Array(64 * 48);
let sheets = 0;

const moduleOf = (source: string) => ({ packageUrl: new URL(`data:text/javascript,${encodeURIComponent(source)}`) });

export const driverTruth: readonly BrokenDriver[] = [
  {
    breaks: '5-sheets-come-in-order',
    how: 'counts sheets from 0',
    says: /pages of a simplex scan of three sheets: expected/,
    make: withPages(page => ({ ...page, sheet: page.sheet - 1 })),
  },
  {
    breaks: '5-numbers-begin-anew-with-each-scan',
    how: 'counts sheets on from scan to scan',
    says: /pages of the (first|second) scan, of one sheet: expected/,
    make: withPages(page => ({ ...page, sheet: ++sheets })),
  },
  {
    breaks: '5-front-before-back',
    how: 'yields the side that faces down first',
    says: /pages of a duplex scan of two sheets: expected/,
    make: withScan(async function* ({ scan }) {
      let front: Page | undefined;
      for await (const page of scan()) {
        if (page.side === 'front') front = page;
        else yield page;
        if (page.side === 'back' && front) yield front;
      }
    }),
  },
  {
    breaks: '5-facts-are-true',
    how: 'says how high the sheet should have been',
    says: /sheet 1 front: 96 rows need \d+ bytes, data has \d+: rows are missing/,
    make: withPages(page => ({ ...page, height: page.height * 2 })),
  },
  {
    breaks: '5-facts-are-true',
    how: 'forgets that rows are padded',
    says: /sheet 1 front: 48 rows of 64 bytes are 3072, data has 3408/,
    make: withPages(page => ({ ...page, stride: page.width }) as Page, { page: { padding: 7 } }),
  },
  {
    breaks: '5-facts-are-true',
    how: 'calls everything a JPEG',
    says: /its data are image\/tiff, the page says image\/jpeg/,
    make: withPages(page => ({ ...page, mimeType: 'image/jpeg' }) as EncodedPage, { encoded }),
  },
  {
    breaks: '5-facts-are-true',
    how: 'swaps width and height',
    says: /the image is 64 by 48 pixels, the page says 48 by 64/,
    make: withPages(page => ({ ...page, width: page.height, height: page.width }), { encoded }),
  },
  {
    breaks: '5-facts-are-true',
    how: 'says that rows are shorter than they are',
    says: /sheet 1 front: stride is 64, but a row of 500 gray8 pixels has 500 bytes/,
    make: withPages(page => ({ ...page, width: 500 }), { page: { pixels: 'gray8' } }),
  },
  {
    breaks: '5-facts-are-true',
    how: 'yields half of every JPEG',
    says: /sheet 1 front: its JPEG is not a complete image/,
    make: withPages(page => halved(page), { encoded: jpeg }),
  },
  {
    breaks: '5-facts-are-true',
    how: 'yields half of every JPEG with an EOI',
    says: /sheet 1 front: its JPEG is not a complete image/,
    make: withPages(page => halved(page, eoi), { encoded: jpeg }),
  },
  {
    breaks: '5-facts-are-true',
    how: 'calls grey JPEGs coloured',
    says: /the image has 1 channels, the page says rgb24/,
    make: withPages(page => ({ ...page, data: testJpeg({ width: 64, height: 48, components: [[1, 1]] }).file }), {
      encoded: jpeg,
    }),
  },
  {
    breaks: '5-torn-page-is-no-page',
    how: 'yields the part of a page that it has',
    says: /sheet 2 is truncated: the scan should fail with a code, but.*its JPEG is not a complete image/,
    make: withScan(
      async function* ({ scan }) {
        try {
          yield* scan();
        } catch {
          yield halved({ ...testPage({ sheet: 2 }), ...jpeg, kind: 'encoded' });
        }
      },
      { encoded: jpeg },
    ),
  },
  {
    breaks: '5-torn-page-is-no-page',
    how: 'leaves a torn page out without a word',
    says: /sheet 2 is truncated: the scan should fail with a code, but ended without a failure/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch {
        // As if the feeder had been empty.
      }
    }),
  },
  {
    breaks: '5-color-modes-are-told-truly',
    how: 'says what was asked for, and scans in grey',
    says: /the page that was asked for in Color, but: sheet 1 front: stride is 64, but a row of 64 rgb24 pixels has 192 bytes/,
    make: withPages(page => ({ ...page, pixels: 'rgb24' }), { page: { pixels: 'gray8' } }),
  },
  {
    breaks: '5-jam-yields-no-torn-page',
    how: 'yields the jammed sheet',
    says: /pages of a scan whose sheet 2 jams: expected 'sheet 1 front', but got/,
    make: withScan(async function* ({ scan }) {
      try {
        yield* scan();
      } catch (error) {
        yield testPage({ sheet: 2, pixels: 'gray8' });
        throw error;
      }
    }),
  },
  {
    breaks: '6-buffers-are-not-reused',
    how: 'has one buffer for all pages',
    says: /the bytes of sheet 1 changed after it was yielded/,
    make: withPages(page => ({ ...page, data: shared.fill(page.sheet) })),
  },
  {
    breaks: '6-buffers-do-not-overlap',
    how: 'has one buffer for all pages',
    says: /sheets 1 and 2 lie in the same memory/,
    make: withPages(page => ({ ...page, data: shared })),
  },
  {
    breaks: '6-over-max-pixels-is-refused',
    how: 'takes any page',
    says: /with maxPixels 16, should fail with unsupported, but ended after sheet 1 front/,
    make: withScan(({ scan }) => scan({ maxPixels: Infinity })),
  },
  {
    breaks: '7-import-does-nothing',
    how: 'says hello',
    says: /is not silent/,
    features: moduleOf('console.log("hello")'),
    make: fakeRig,
  },
  {
    breaks: '7-import-does-nothing',
    how: 'begins to poll',
    says: /left open: Timeout/,
    features: moduleOf('setInterval(() => {}, 1000)'),
    make: fakeRig,
  },
  {
    breaks: '7-import-does-nothing',
    how: 'refuses a foreign operating system',
    says: /ends with 1; it printed: (.|\n)*not made for haiku/,
    features: moduleOf('throw new Error("not made for " + process.platform)'),
    make: fakeRig,
  },
  {
    breaks: '8-adjusts-only-what-the-hardware-does',
    how: 'straightens pages in software',
    says: /sheet 1 front was adjusted by deskew, which the capabilities do not list/,
    make: withPages(page => ({ ...page, adjusted: ['deskew'] })),
  },
  {
    breaks: '8-feeds-nothing-after-a-jam',
    how: 'tries again until the feeder is empty',
    says: /sheet 2 of 5 jams, but only 0 are left in the feeder/,
    make: withScan(async function* ({ scan, fake }) {
      try {
        yield* scan();
      } catch {
        fake.clearFaults();
        yield* scan();
      }
    }),
  },
  {
    breaks: '8-feeds-nothing-after-a-jam',
    how: 'clears the path a moment after the jam',
    says: /after the jam 3 sheets were left in the feeder, a moment later 2/,
    make: withScan(async function* ({ scan, fake }) {
      try {
        yield* scan();
      } catch (error) {
        setTimeout(
          () =>
            void scan({ sheets: 1 })
              .next()
              .catch(() => fake.clearFaults()),
          50,
        );
        throw error;
      }
    }),
  },
];
