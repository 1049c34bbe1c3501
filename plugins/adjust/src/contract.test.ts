/** Every processor of the plugin passes the published suite. */
import { processorContract } from '@platen/conformance';
import type { Processor, RawPage } from '@platen/core/plugin';
import t from 'tap';
import { order } from './plugin.js';
import { threadedProcessor } from './processor.js';
import { onBackground, sample, rotatedBy } from './samples.test.kit.js';
import { createThreads } from './threads.js';

const threads = createThreads(2);
t.teardown(() => threads.close());

async function photo() {
  return [await sample('photo', { dpi: 40, pixels: 'rgb24' })];
}

/** Pages on which each of them has something to do; drawn once. */
const pages: Readonly<Record<Processor['adjustment'], () => Promise<readonly RawPage[]>>> = {
  turn: async () => [await sample('letter', { dpi: 75 })],
  rotate: async () => [rotatedBy(await sample('letter', { dpi: 100 }), 3), await sample('photo', { dpi: 50 })],
  deskew: async () => [
    await sample('letter', { dpi: 75, skew: 2.5 }),
    await sample('letter', { dpi: 75, skew: 2.5, pixels: 'bw1' }),
  ],
  crop: async () => [
    onBackground(await sample('letter', { dpi: 75 }), { left: 61, top: 47, right: 30, bottom: 90, colour: 40 }),
  ],
  color: photo,
  area: photo,
  brightness: photo,
  contrast: photo,
  threshold: photo,
};

for (const adjustment of order) {
  let drawn: Promise<readonly RawPage[]> | undefined;
  void t.test(adjustment, t =>
    processorContract(t, {
      make: async () => ({
        processor: threadedProcessor(adjustment, threads),
        wish: { area: { x: 1, y: 0.5, width: 2, height: 30 }, brightness: 40, contrast: -40, threshold: 99 },
        pages: () => (drawn ??= pages[adjustment]()),
      }),
      features: { adjustment },
    }),
  );
}
