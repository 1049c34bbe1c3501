/** The plugin `@platen/adjust`: does to pages in software what the scanner did not do itself. */
import { definePlugin, type Processor } from '@platen/core/plugin';
import { threadedProcessor } from './processor.js';
import { createThreads } from './threads.js';

export interface AdjustOptions {
  /** What to do where it is asked for; what is left out is answered as if the plugin were not loaded. */
  readonly adjustments: readonly Processor['adjustment'][];
  /** 0: as many as the computer has cores. */
  readonly threads: number;
}

/** The order in which they work: later ones have less to look at. */
export const order: readonly Processor['adjustment'][] = ['turn', 'rotate', 'deskew', 'crop', 'color'];

export default definePlugin<AdjustOptions>({
  name: '@platen/adjust',
  api: 1,
  optionsSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      adjustments: {
        type: 'array',
        items: { enum: order },
        uniqueItems: true,
        default: order,
        description: 'What to do where it is asked for: turn (backs of sheets bound on their short edge), rotate, deskew, crop, color. What is left out is answered as if the plugin were not loaded.',
      },
      threads: { type: 'integer', minimum: 0, maximum: 256, default: 0, description: 'How many pages are worked on at the same time; 0: as many as the computer has cores.' },
    },
  },
  setup({ options }) {
    const threads = createThreads(options.threads);
    const wanted = order.filter(adjustment => options.adjustments.includes(adjustment));
    return { processors: wanted.map(adjustment => threadedProcessor(adjustment, threads)), close: () => threads.close() };
  },
});
