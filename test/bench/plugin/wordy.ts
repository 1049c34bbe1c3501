/** A plugin like a vendor's: says that each page has the same 650 words, in no time. Tesseract reads in other processes. */
import { fileURLToPath } from 'node:url';
import { definePlugin, type Word } from '@platen/core/plugin';

/** This file, for a configuration. */
export const wordyPlugin = fileURLToPath(import.meta.url);

const WORDS = 650;
const PER_LINE = 13;
const vocabulary =
  'The harbour office received seven crates of tea on the fourteenth and signed for them at noon'.split(' ');

const text: readonly string[] = Array.from(
  { length: WORDS },
  (_, at) => vocabulary[(at * 7) % vocabulary.length] ?? '',
);

/** In the lines of a page of these measures. */
function wordsOn(width: number, height: number): Word[] {
  const lines = WORDS / PER_LINE;
  const [across, down] = [width / (PER_LINE + 2), height / (lines + 4)];
  return text.map((word, at) => ({
    text: word,
    confidence: 0.9,
    x: Math.round(across * (1 + (at % PER_LINE))),
    y: Math.round(down * (2 + Math.floor(at / PER_LINE))),
    width: Math.round((across * 0.9 * word.length) / 10),
    height: Math.round(down * 0.6),
    line: Math.floor(at / PER_LINE),
  }));
}

const plugin = definePlugin({
  name: 'platen-bench-wordy',
  api: 1,
  setup: () => ({
    recognisers: [
      {
        kind: 'ocr',
        languages: ['eng'],
        read: async ({ width, height }) => ({ text: text.join(' '), words: wordsOn(width, height) }),
      },
    ],
  }),
});

// oxlint-disable-next-line import/no-default-export -- the loader takes a plugin's default export
export default plugin;
