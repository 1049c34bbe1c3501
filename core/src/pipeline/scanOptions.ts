/** What a client asked for, in the contract's words; absent is "nothing said". */
import type { ScanControls } from '../contract/controls.js';
import type { BarcodeWishes } from '../contract/recogniser.js';
import type { AdjustmentParameter, ColorMode, DuplexMode, PageSize } from '../contract/words.js';

/** `autoRotate` and its like say which adjustments are requested. */
export interface ScanOptions extends Readonly<Partial<Record<AdjustmentParameter['parameter'], boolean>>> {
  readonly resolution?: number;
  readonly colorMode?: ColorMode;
  readonly duplexMode: DuplexMode;
  readonly pageSize: PageSize;
  /** A format's name: `Png`. */
  readonly format: string;
  /** 1 to 100. */
  readonly quality: number;
  /** Absent: barcodes are not read. */
  readonly barcode?: BarcodeWishes;
  readonly ocr: boolean;
  /** Go to the device as they are. */
  readonly controls?: ScanControls;
  /** Seconds for the whole call; 0: no deadline of its own. */
  readonly timeoutSeconds: number;
  /** Says with each image what was done to it. */
  readonly report: boolean;
}
