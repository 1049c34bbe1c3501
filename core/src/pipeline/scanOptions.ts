/** The client's request in the contract's words; an absent field was not specified. */
import type { ScanControls } from '../contract/controls.js';
import type { BarcodeWishes } from '../contract/recogniser.js';
import type { AdjustmentParameter, ColorMode, DuplexMode, PageSize } from '../contract/words.js';
import type { Separation } from './separation.js';

/** `autoRotate` and the others say which adjustments are requested. */
export interface ScanOptions extends Readonly<Partial<Record<AdjustmentParameter['parameter'], boolean>>> {
  readonly resolution?: number;
  readonly colorMode?: ColorMode;
  readonly duplexMode: DuplexMode;
  readonly pageSize: PageSize;
  /** A format's name, such as `Png`. */
  readonly format: string;
  /** 1 to 100. */
  readonly quality: number;
  /** Absent: barcodes are not read. */
  readonly barcode?: BarcodeWishes;
  readonly ocr: boolean;
  /**
   * flag: each page says whether it is blank. drop: also, documents are without blank pages, which stay in the scan.
   * Absent: it is not found out.
   */
  readonly blankPages?: 'flag' | 'drop';
  /** Absent: all pages are one document. */
  readonly separate?: Separation;
  /** Passed to the device unchanged. */
  readonly controls?: ScanControls;
  /** Seconds for the whole call; 0: no deadline. */
  readonly timeoutSeconds: number;
  /** Adds a report to each image. */
  readonly report: boolean;
}
