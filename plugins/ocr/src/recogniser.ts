/** The recogniser of text: a page becomes an image, a reader's table, and text. */
import { createWorkerPool, type OcrRecogniser } from '@platen/core/plugin';
import { pageImage } from './pageImage.js';
import { pageText } from './pageText.js';
import type { Engine } from './reader.js';

export interface RecogniserSettings {
  readonly engine: Engine;
  readonly languages: readonly string[];
  /** Pages that are read at the same time. */
  readonly workers: number;
  readonly pageSeconds: number;
}

export function ocrRecogniser({ engine, languages, workers, pageSeconds }: RecogniserSettings): OcrRecogniser & { close(): Promise<void> } {
  const readers = createWorkerPool({
    places: workers,
    start: () => engine.start(),
    workMs: pageSeconds * 1000,
    late: () => new Error(`the engine was given up after ${pageSeconds} seconds`),
    closed: () => new Error('text recognition has ended'),
  });
  return {
    kind: 'ocr',
    languages,
    async read(page, _wishes, { signal }) {
      const table = await readers.run(async take => {
        const image = await pageImage(page);
        return image ? (await take()).read(image) : '';
      }, signal);
      return pageText(table);
    },
    close: readers.close,
  };
}
