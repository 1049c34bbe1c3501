/** A document format writes pages of scans into one file, such as a PDF. */
import type { Call } from './driver.js';
import type { RawPage } from './page.js';
import type { Barcode, Word } from './recogniser.js';

/** Degrees clockwise. */
export const turns = [0, 90, 180, 270] as const;
export type Turn = (typeof turns)[number];

/** A finished page: its facts, and its file, which is read when it is needed. */
export interface DocumentPage {
  /**
   * 1-based. A document may have pages in any order, and one page several times: pages with the same number are the same
   * file. In a document of one scan, their numbers there, which count sides.
   */
  readonly pageNumber: number;
  /** Pixels of the file. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch; the same in both directions. */
  readonly dpi: number;
  /** The file's: `image/jpeg`. */
  readonly mimeType: string;
  /** Bytes of the file. */
  readonly size: number;
  /** How far the page is turned in the document. The other facts are those of the file, before it is turned. */
  readonly turn: Turn;
  /** Text to put invisibly over the page; empty if it has none, or none is wished. */
  readonly words: readonly Word[];
  readonly barcodes: readonly Barcode[];
  /**
   * The bytes of the file. The next request may overwrite the slice.
   * @throws `storage-failed` if the file was damaged
   */
  read(): AsyncIterable<Uint8Array>;
  /** The same as pixels. @throws `unsupported` if no loaded format decodes the file */
  pixels(): Promise<RawPage>;
}

export interface DocumentOptions {
  readonly title?: string;
  /** BCP 47: `en`. Absent: not known. */
  readonly language?: string;
  /** When it was scanned; milliseconds since 1970. */
  readonly createdAt: number;
  /** Put the text of the barcodes into the document's metadata. */
  readonly barcodes: boolean;
}

export interface DocumentFormat {
  /** In the manner of image formats: `Pdf`. Unique, also among other cases of its letters. */
  readonly name: string;
  readonly mimeType: string;
  /** Of its files, in lower case, without a dot: `pdf`. Unique among the document formats. */
  readonly extension: string;
  /** Other extensions that mean the same: `['tif']`. */
  readonly aliases?: readonly string[];
  /**
   * Writes the pages in this order, each before the next one is requested: they may still be scanned. There is at least
   * one. Holds a page at a time, however many there are. The next request may overwrite a chunk.
   *
   * If a page cannot be read, or `pages` throws, it throws that error and writes nothing more: a document that ends is
   * whole. Leaving the iterable ends `pages`, and every read of a page.
   * @throws the signal's reason when abandoned; while it waits for a page, `pages` throws it
   */
  write(pages: AsyncIterable<DocumentPage>, options: DocumentOptions, call: Call): AsyncIterable<Uint8Array>;
}
