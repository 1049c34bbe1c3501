/** What a client asked for, in the contract's words; absent is "nothing said". */
import type { BarcodeWishes } from '../contract/recogniser.js';
import type { ColorMode, DuplexMode, PageSize, TransferMode } from '../contract/words.js';

export interface ScanOptions {
  readonly resolution?: number;
  readonly colorMode?: ColorMode;
  readonly duplexMode: DuplexMode;
  readonly pageSize: PageSize;
  readonly autoRotate: boolean;
  readonly autoDeskew: boolean;
  readonly autoCrop: boolean;
  /** A format's name: `Png`. */
  readonly format: string;
  /** 1 to 100. */
  readonly quality: number;
  /** Absent: barcodes are not read. */
  readonly barcode?: BarcodeWishes;
  readonly ocr: boolean;
  readonly transferMode?: TransferMode;
  /** Seconds for the whole call; 0: no deadline of its own. */
  readonly timeoutSeconds: number;
  /** Says with each image what was done to it. */
  readonly report: boolean;
}
