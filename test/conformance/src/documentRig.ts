/** What a suite for document formats needs: how to make the format, how to read what it wrote, what it can do. */
import type { DecodedImage, DocumentFormat, Turn } from '@platen/core/plugin';

export interface DocumentRig {
  readonly format: DocumentFormat;
  /** Reads a whole document, by other means than the format under test. @throws if it is not a whole document */
  readBack(bytes: Uint8Array): WrittenDocument | Promise<WrittenDocument>;
  dispose?(): Promise<void>;
}

/** What a reader sees in a document. */
export interface WrittenDocument {
  /** In the document's order. */
  readonly pages: readonly WrittenPage[];
  /** With `features.title`. */
  readonly title?: string;
}

export interface WrittenPage {
  /** Pixels of the image, before a viewer turns it. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch, rounded to a whole number; of a format that stores a physical size, calculated from that. */
  readonly dpi: number;
  /** Degrees clockwise that a viewer turns the image. 0 where the format turned the pixels. */
  readonly turn: Turn;
  /** With `features.pixels`: the image, before a viewer turns it. */
  pixels?(): DecodedImage | Promise<DecodedImage>;
  /** With `features.text`: the words in their order, with white space between them. */
  readonly text?: string;
}

export interface DocumentFeatures {
  /** The rig reads the pixels of pages. */
  readonly pixels: boolean;
  /** The format may lose detail of the pixels. */
  readonly lossy: boolean;
  /** The format writes the words of a page as text, and the rig reads it. */
  readonly text: boolean;
  /** The format stores the title, and the rig reads it. */
  readonly title: boolean;
}
