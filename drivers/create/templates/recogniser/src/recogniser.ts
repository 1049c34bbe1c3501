/** The recogniser of tick boxes: a request says `recognise: { ticks: { boxes: […] } }`, a page has `findings.ticks`. */
import type { CustomRecogniser } from '@platen/core/plugin';
import { createThreads, rowsOf } from './threads.js';
import type { Ticked, Wishes } from './ticks.js';
import type { Work } from './worker.js';

const mm = (description: string) => ({ type: 'number', minimum: 0, maximum: 2000, description });

export function createRecogniser(): CustomRecogniser<Wishes> & { close(): Promise<void> } {
  const threads = createThreads<Work, readonly Ticked[] | null>();
  return {
    // Yours: the name in requests and findings.
    kind: 'ticks',

    // Yours: what a request may say. Platen checks it, and fills in the defaults, before it calls read.
    wishes: {
      type: 'object',
      additionalProperties: false,
      properties: {
        boxes: {
          type: 'array',
          maxItems: 500,
          default: [],
          description: 'The boxes of the form.',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name', 'x', 'y', 'width', 'height'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 100, description: 'Of the box, in findings.' },
              x: mm('From the left edge of the page, in millimetres.'),
              y: mm('From the top edge of the page, in millimetres.'),
              width: mm('In millimetres.'),
              height: mm('In millimetres.'),
            },
          },
        },
        least: {
          type: 'number',
          minimum: 0,
          maximum: 1,
          default: 0.05,
          description: 'From which share of dark pixels on a box has a tick.',
        },
      },
    },

    async read(page, wishes, { signal }) {
      signal.throwIfAborted();
      if (wishes.boxes.length === 0) return null;
      const rows = rowsOf(page);
      return threads.run({ rows, wishes }, signal, [rows.data.buffer]);
    },

    close: () => threads.close(),
  };
}
