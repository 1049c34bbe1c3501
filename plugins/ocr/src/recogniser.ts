/** The recogniser of text: a page becomes an image, a reader's table, and text. */
import type { OcrRecogniser } from '@platen/core/plugin';
import { createCrew } from './crew.js';
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
  const crew = createCrew({ start: () => engine.start(), places: workers, pageMs: pageSeconds * 1000 });
  return {
    kind: 'ocr',
    languages,
    read: async (page, _wishes, { signal }) => pageText(await crew.read(() => pageImage(page), signal)),
    close: () => crew.close(),
  };
}
