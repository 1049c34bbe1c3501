/** The plugin `@platen/adjust`: adjusts pages in software if the scanner did not. */
import { definePlugin, type ProcessorTask } from '@platen/core/plugin';
import { threadedProcessor } from './processor.js';
import { createThreads } from './threads.js';

export interface AdjustOptions {
  /** The others are answered as if the plugin were not loaded. */
  readonly adjustments: readonly ProcessorTask[];
  /** 0: one per core. */
  readonly threads: number;
}

/** The order in which they run: each leaves less work to the next. */
export const order: readonly ProcessorTask[] = [
  'area',
  'turn',
  'rotate',
  'deskew',
  'crop',
  'brightness',
  'contrast',
  'threshold',
  'color',
];

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
        description:
          'Adjustments to offer: area, turn (backs of sheets bound on their short edge), rotate, deskew, crop, ' +
          'brightness, contrast, threshold, color. ' +
          'The others are answered as if the plugin were not loaded.',
      },
      threads: {
        type: 'integer',
        minimum: 0,
        maximum: 256,
        default: 0,
        description: 'How many pages are adjusted at the same time; 0: one per core.',
      },
    },
  },
  setup({ options }) {
    const threads = createThreads(options.threads);
    const wanted = order.filter(adjustment => options.adjustments.includes(adjustment));
    return {
      processors: wanted.map(adjustment => threadedProcessor(adjustment, threads)),
      close: () => threads.close(),
    };
  },
});
