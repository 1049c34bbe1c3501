/** The text recogniser: a page becomes an image, the engine's TSV, and text. */
import { createWorkerPool, type OcrRecogniser } from '@platen/core/plugin';
import { pageImage } from './pageImage.js';
import { pageText } from './pageText.js';
import type { Engine } from './engine.js';

export interface RecogniserSettings {
  readonly engine: Engine;
  readonly languages: readonly string[];
  /** How many pages are read at the same time. */
  readonly workers: number;
  readonly pageSeconds: number;
}

export interface ClosableRecogniser extends OcrRecogniser {
  /** Gives up the pages that are read or wait, and ends all readers. Idempotent. */
  close(): Promise<void>;
}

export function ocrRecogniser(settings: RecogniserSettings): ClosableRecogniser {
  const { engine, languages, workers, pageSeconds } = settings;
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
      const tsv = await readers.run(async take => {
        const image = await pageImage(page);
        return image ? (await take()).read(image) : '';
      }, signal);
      return pageText(tsv);
    },
    close: readers.close,
  };
}
