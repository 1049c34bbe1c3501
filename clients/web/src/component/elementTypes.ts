/** The types of `<platen-scan>` that applications see beside its class: its pages and its events. */
import type { PlatenError } from '../client/errors.js';

/** A page as an application sees it. */
export interface ComponentPage {
  /** From 1, in the person's order. */
  readonly number: number;
  readonly scanner: string;
  /** Pixels, before it is turned. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch. */
  readonly resolution: number;
  /** Degrees clockwise. */
  readonly rotate: 0 | 90 | 180 | 270;
  /** Whether a file that was saved or handed over has it. */
  readonly isSaved: boolean;
  readonly ocrText: string;
  readonly barcodes: readonly { readonly text: string; readonly barcodeType: string; readonly confidence: number }[];
}

/** What the scanner can do for the element. */
export type JobKind = 'scan' | 'preview' | 'auto';

/** The element's events. They bubble, and leave shadow roots. */
export interface PlatenScanEventMap {
  /** Done was pressed, and the files are there. */
  'platen-done': CustomEvent<{ readonly files: readonly File[] }>;
  /** Pages, scanner or activity changed. */
  'platen-change': CustomEvent<null>;
  /** A scan or Done failed; the person sees it as well. */
  'platen-error': CustomEvent<PlatenError>;
}
