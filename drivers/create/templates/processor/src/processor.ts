/** The processor: a request says `process: { "remove-specks": { size: 2 } }`. */
import { rowBytes, type CustomProcessor } from '@platen/core/plugin';
import type { Options } from './despeckle.js';
import { createThreads, rowsOf } from './threads.js';
import type { Work } from './worker.js';

export function createProcessor(): CustomProcessor<Options> & { close(): Promise<void> } {
  const threads = createThreads<Work, Uint8Array | undefined>();
  return {
    // Yours: the name in requests.
    name: 'remove-specks',

    // Yours: what a request may say. Platen checks it, and fills in the defaults, before it calls apply.
    options: {
      type: 'object',
      additionalProperties: false,
      properties: {
        size: {
          type: 'integer',
          minimum: 1,
          maximum: 5,
          default: 2,
          description: 'Side of the largest speck that is removed, in pixels.',
        },
        specks: {
          enum: ['dark', 'light', 'both'],
          default: 'dark',
          description: 'Which specks: dark ones on paper, light ones in print, or both.',
        },
      },
    },

    async apply(page, options, { signal }) {
      signal.throwIfAborted();
      const rows = rowsOf(page);
      const data = await threads.run({ rows, options }, signal, [rows.data.buffer]);
      if (!data) return { page, applied: false, why: 'the page has no specks' };
      return { page: { ...page, stride: rowBytes(page.pixels, page.width), data }, applied: true };
    },

    close: () => threads.close(),
  };
}
