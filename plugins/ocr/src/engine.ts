/** An engine starts readers, each of which reads one page at a time. */
import type { PageImage } from './pageImage.js';

export interface Reader {
  /** @returns Tesseract's table of the page's words (TSV) */
  read(image: PageImage): Promise<string>;
  /** Ends its thread or process, whatever it is doing; resolves when that has ended. */
  end(): Promise<void>;
}

export interface Engine {
  readonly name: 'wasm' | 'native';
  /** Returns at once; a reader that cannot start rejects when it reads. */
  start(): Reader;
}
