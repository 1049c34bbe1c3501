/** The text recogniser: a page becomes an image, the engine's TSV, text and words. */
import { createWorkerPool, type OcrRecogniser, type ReadText } from '@platen/core/plugin';
import { pageImage } from './pageImage.js';
import { pageParagraphs, pageText } from './pageText.js';
import { pageWords } from './pageWords.js';
import type { Engine } from './engine.js';

/** A thread of the engine in WebAssembly holds 100 MB or more; it is given back after this long, and starts in a second. */
const IDLE_MS = 60_000;

export interface RecogniserSettings {
  readonly engine: Engine;
  readonly languages: readonly string[];
  /** How many pages are read at the same time. */
  readonly workers: number;
  readonly pageSeconds: number;
}

export interface ClosableRecogniser extends OcrRecogniser {
  read(...asked: Parameters<OcrRecogniser['read']>): Promise<ReadText>;
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
    idleMs: IDLE_MS,
    atRest: 'stays',
  });
  return {
    kind: 'ocr',
    languages,
    async read(page, _wishes, { signal }) {
      return readers.run(async take => {
        const image = await pageImage(page);
        if (!image) return { text: '', words: [] };
        const { width, height } = image;
        const paragraphs = pageParagraphs(await (await take()).read(image));
        return { text: pageText(paragraphs), words: pageWords(paragraphs, { width, height }, page) };
      }, signal);
    },
    close: readers.close,
  };
}
