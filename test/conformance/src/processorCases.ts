/** What a processor promises, case by case. */
import assert from 'node:assert/strict';
import {
  type Adjusted,
  type Call,
  type ColorMode,
  type CustomProcessor,
  type Pixels,
  type Processor,
  type ProcessorWish,
  type RawPage,
  rowBytes,
} from '@platen/core/plugin';
import type { ContractCase } from './contractTest.js';
import {
  blankPage,
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
import { colourAt, difference } from './pixelValues.js';
import { assertName, assertSchema } from './ownSchema.js';
import { testPage } from './testPages.js';
import { expectEqual, expectSame } from './driverCases/expect.js';

/** What it is for, or its name. */
export type ProcessorFeatures =
  | { readonly adjustment: Processor['adjustment']; readonly name?: undefined }
  | { readonly name: string; readonly adjustment?: undefined };

export interface ProcessorRig {
  readonly processor: Processor | CustomProcessor;
  /** What a control is requested with; absent for adjustments. */
  readonly wish?: Omit<ProcessorWish, 'colorMode'>;
  /** Of a processor with a name: as core hands them over, with the schema's defaults. `{}` when absent. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Pages that the processor changes, and pages that it leaves as they are; the suite brings plain ones of its own. */
  pages?(): readonly RawPage[] | Promise<readonly RawPage[]>;
  dispose?(): Promise<void>;
}

type ProcessorCase = ContractCase<ProcessorRig, ProcessorFeatures>;

const modes: readonly ColorMode[] = ['Color', 'Grayscale', 'BlackAndWhite'];
const pixelsOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

export const processorCases: readonly ProcessorCase[] = [
  {
    id: 'adjustment-known',
    title: 'says what it does',
    async run({ processor }, { adjustment, name }) {
      expectSame(processor.adjustment, adjustment, 'adjustment');
      if (processor.adjustment === undefined) expectSame(processor.name, name, 'name');
    },
  },
  {
    id: 'options-checked',
    title: 'has a name that requests can say, and a schema by which they are checked',
    skip: ({ name }) => (name === undefined ? 'the processor takes no options' : undefined),
    async run({ processor }) {
      if (processor.adjustment !== undefined) return;
      assertName(processor.name, 'name');
      assertSchema(processor.options, 'options');
    },
  },
  {
    id: 'page-consistent',
    title: 'returns pages that say the truth of themselves',
    async run(rig) {
      for (const page of await pagesOf(rig)) {
        for (const mode of modes) consistent((await apply(rig, copyOf(page), mode)).page, page);
      }
    },
  },
  {
    id: 'untouched-page-returned',
    title: 'returns the very page that came in when it did nothing to it',
    hint: 'Return { page, applied: false, why } with the page that came in if nothing was changed, and a new page with its own buffer otherwise.',
    async run(rig, { adjustment }) {
      for (const page of await pagesOf(rig)) {
        for (const mode of modes) {
          const { applied, page: result } = await apply(rig, page, mode);
          if (applied) assert.notEqual(result, page, `a ${page.pixels} page was changed in place`);
          else assert.ok(result === page, `nothing was done to a ${page.pixels} page, but another one came back`);
          if (adjustment === 'color' && pixelsOf[mode] === page.pixels)
            expectSame(applied, false, `a ${page.pixels} page is ${mode} already`);
        }
      }
    },
  },
  {
    id: 'every-kind-of-pixels',
    title: 'takes colour, grey and 1-bit, also rows that end within a byte',
    async run(rig) {
      for (const pixels of everyPixels) {
        for (const mode of modes) {
          const page = testPage({ ...oddSize, pixels });
          consistent((await apply(rig, page, mode)).page, page);
        }
      }
    },
  },
  {
    id: 'padding-left-out',
    title: "does not take the rows' padding for pixels",
    hint: 'Take rows at y * stride, rowBytes(pixels, width) bytes each; packedRows(page) does it.',
    async run(rig) {
      for (const pixels of everyPixels) {
        for (const mode of modes) {
          const { padded, packed } = paddedAndPacked({ pixels });
          const [one, other] = [(await apply(rig, padded, mode)).page, (await apply(rig, packed, mode)).page];
          expectEqual(
            [one.width, one.height, one.pixels],
            [other.width, other.height, other.pixels],
            `a ${pixels} page with padding and the same without`,
          );
          const { worst } = difference(one, other);
          expectSame(worst, 0, `a ${pixels} page with padding and the same without differ by up to ${worst}`);
        }
      }
    },
  },
  {
    id: 'one-pixel-page',
    title: 'takes a page of one pixel',
    async run(rig) {
      for (const pixels of everyPixels) {
        for (const mode of modes) await apply(rig, testPage({ width: 1, height: 1, pixels }), mode);
      }
    },
  },
  {
    id: 'page-not-written-to',
    title: "leaves the page's buffer as it was",
    hint: 'Copy the pixels before you change them, new Uint8Array(packedRows(page)): formats and recognisers read the same buffer.',
    async run(rig) {
      for (const page of await pagesOf(rig)) {
        for (const mode of modes) await leavesAlone(page, given => apply(rig, given, mode));
      }
    },
  },
  {
    id: 'abort-honoured',
    title: "throws the signal's reason when abandoned",
    hint: 'Begin with signal.throwIfAborted(), and call it again after each await; hand the signal to what you wait for.',
    async run(rig) {
      await honoursAbort('apply', call => apply(rig, testPage(), 'BlackAndWhite', call));
    },
  },
  {
    id: 'event-loop-free',
    title: 'keeps the event loop free while it works',
    hint: "Do the work in a worker thread (core's startThread and createWorkerPool), or with a library's own threads: an await around work that is synchronous does not free the loop.",
    async run(rig) {
      const page = wholePage('rgb24', 150);
      await keepsLoopFree('the work on a colour page', () => apply(rig, page, 'Grayscale'));
    },
  },
  {
    id: 'concurrent-applies',
    title: 'keeps pages apart that are worked on at the same time',
    async run(rig) {
      const pages = [16, 24, 40, 56].flatMap(width =>
        everyPixels.map(pixels => testPage({ width, height: 85 - width, pixels })),
      );
      const together = await Promise.all(pages.map(page => apply(rig, copyOf(page), 'BlackAndWhite')));
      for (const [i, page] of pages.entries()) {
        const [one, other] = [together[i]!.page, (await apply(rig, copyOf(page), 'BlackAndWhite')).page];
        expectEqual(
          [one.width, one.height, one.pixels],
          [other.width, other.height, other.pixels],
          `a ${page.pixels} page beside others and alone`,
        );
        expectSame(difference(one, other).worst, 0, `a ${page.pixels} page beside others and alone`);
      }
    },
  },
  {
    id: 'colours-reduced',
    title: 'reduces to the wished colour mode, and never adds colour',
    skip: ({ adjustment }) => (adjustment === 'color' ? undefined : 'the processor does not reduce colours'),
    async run(rig) {
      for (const pixels of everyPixels) {
        for (const mode of modes) {
          const wanted = everyPixels[Math.max(everyPixels.indexOf(pixels), modes.indexOf(mode))]!;
          for (const white of [true, false]) {
            const page = blankPage({ pixels });
            if (!white) page.data.fill(pixels === 'bw1' ? 255 : 0);
            const { page: result, applied } = await apply(rig, page, mode);
            const what = `a ${white ? 'white' : 'black'} ${pixels} page as ${mode}`;
            expectSame(result.pixels, wanted, what);
            expectSame(applied, wanted !== pixels, `${what}: applied`);
            expectEqual(colourAt(result, 3, 3), white ? [255, 255, 255] : [0, 0, 0], what);
          }
        }
      }
    },
  },
];

function apply(
  { processor, wish, options = {} }: ProcessorRig,
  page: RawPage,
  colorMode: ColorMode,
  call: Call = calmCall(),
): Promise<Adjusted> {
  if (processor.adjustment === undefined) return processor.apply(page, options, call);
  return processor.apply(page, { ...wish, colorMode }, call);
}

/** Patterned and blank pages of every kind, and the rig's own. */
async function pagesOf(rig: ProcessorRig): Promise<readonly RawPage[]> {
  const plain = everyPixels.flatMap(pixels => [
    testPage({ pixels, padding: 2, sheet: 2, side: 'back', dpi: 200 }),
    blankPage({ pixels }),
  ]);
  return [...plain, ...((await rig.pages?.()) ?? [])];
}

function consistent(result: RawPage, given: RawPage): void {
  const { kind, sheet, side, width, height, dpi, pixels, stride, data } = result;
  expectEqual(
    { kind, sheet, side, dpi },
    { kind: 'raw', sheet: given.sheet, side: given.side, dpi: given.dpi },
    'what no processor changes',
  );
  assert.ok(
    Number.isInteger(width) && width > 0 && Number.isInteger(height) && height > 0,
    `a page of ${width} x ${height} pixels`,
  );
  const row = rowBytes(pixels, width);
  assert.ok(stride >= row, `a stride of ${stride} bytes is too short for ${width} pixels of ${pixels}`);
  const least = stride * (height - 1) + row;
  assert.ok(
    data.length >= least,
    `${data.length} bytes are too few for ${width} x ${height} pixels of ${pixels}: it takes ${least}`,
  );
}
