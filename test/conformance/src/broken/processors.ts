/** Processors that break one promise each: by the case that must fail, and no other. */
import { setImmediate as breathe } from 'node:timers/promises';
import { type CustomProcessor, type Processor, type RawPage, rowBytes } from '@platen/core/plugin';
import { fakeProcessor } from '../fakeProcessor.js';
import { calmCall } from '../pageTrials.js';
import type { ProcessorRig } from '../processorCases.js';

function broken(differences: (apply: Processor['apply']) => Partial<Processor>): () => ProcessorRig {
  return () => {
    const sound = fakeProcessor('color');
    return { processor: { ...sound, ...differences(sound.apply) } };
  };
}

const ignoringStride = (page: RawPage): RawPage => ({ ...page, stride: rowBytes(page.pixels, page.width) });

export const brokenProcessors: Readonly<Record<string, () => ProcessorRig>> = {
  'adjustment-known': broken(() => ({ adjustment: 'crop' })),
  'page-consistent': broken(apply => ({
    async apply(page, wish, call) {
      const done = await apply(page, wish, call);
      return done.applied ? { ...done, page: { ...done.page, sheet: 1 } } : done;
    },
  })),
  'untouched-page-returned': broken(apply => ({
    async apply(page, wish, call) {
      const done = await apply(page, wish, call);
      return done.applied ? done : { ...done, page: { ...page } };
    },
  })),
  'every-kind-of-pixels': broken(apply => ({
    async apply(page, wish, call) {
      // A single pixel is another case's.
      if (page.pixels === 'bw1' && page.width % 8 > 1) throw new RangeError('1-bit rows must end with a byte');
      return apply(page, wish, call);
    },
  })),
  'padding-left-out': broken(apply => ({
    async apply(page, wish, call) {
      const done = await apply(page, wish, call);
      return done.applied ? apply(ignoringStride(page), wish, call) : done;
    },
  })),
  'one-pixel-page': broken(apply => ({
    async apply(page, wish, call) {
      if (page.width === 1) throw new RangeError('a page has two pixels at least');
      return apply(page, wish, call);
    },
  })),
  'page-not-written-to': broken(apply => ({
    async apply(page, wish, call) {
      const done = await apply(page, wish, call);
      if (done.applied) page.data.fill(0);
      return done;
    },
  })),
  'abort-honoured': broken(apply => ({ apply: (page, wish) => apply(page, wish, calmCall()) })),
  'event-loop-free': broken(apply => ({
    async apply(page, wish, call) {
      if (page.width < 1000) return apply(page, wish, call);
      return {
        page: { ...page, pixels: 'gray8', stride: page.width, data: page.data.slice(0, page.width * page.height) },
        applied: true,
      };
    },
  })),
  'concurrent-applies': broken(apply => {
    let current: RawPage;
    return {
      async apply(page, wish, call) {
        current = page;
        await breathe();
        return apply(current, wish, call);
      },
    };
  }),
  'colours-reduced': broken(apply => ({
    async apply(page, wish, call) {
      const done = await apply(page, wish, call);
      if (!done.applied || done.page.pixels !== 'bw1') return done;
      return { ...done, page: { ...done.page, data: done.page.data.map(value => ~value) } };
    },
  })),
};

/** A processor with a name that does what the fake for `turn` does. */
export function namedFake(differences: Partial<CustomProcessor> = {}): CustomProcessor {
  const sound = fakeProcessor('turn');
  return {
    name: 'turn-over',
    options: { type: 'object', properties: { by: { const: 180, default: 180 } } },
    apply: (page, { by }, call) => {
      if (by !== 180) throw new TypeError('the options are not those of the rig');
      return sound.apply(page, { colorMode: 'Color' }, call);
    },
    ...differences,
  };
}

/** Of processors with names, by the case that must fail. */
export const brokenNamedProcessors: Readonly<Record<string, readonly CustomProcessor[]>> = {
  'adjustment-known': [namedFake({ name: 'other' })],
  'options-checked': [
    namedFake({ options: { type: 'array' } }),
    namedFake({ options: { properties: { by: { $ref: '#/$defs/by' } } } }),
    namedFake({ options: [] }),
  ],
  'untouched-page-returned': [namedFake({ apply: async page => ({ page: { ...page }, applied: false }) })],
};
