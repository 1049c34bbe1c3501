/** Core's order to a session. Core has checked that the device supports every value. */
import type { ScanControls } from './controls.js';
import type { Adjustment, ColorMode, DuplexMode, PageSize, Source } from './words.js';

export interface ScanOrder extends ScanControls {
  /** One of the sources in the session's capabilities: core chooses, even if there is only one. */
  readonly source: Source;
  /** Most sheets to feed; absent: until the feeder is empty. */
  readonly sheets?: number;
  /** Pixels per inch. */
  readonly resolution: number;
  readonly colorMode: ColorMode;
  readonly duplexMode: DuplexMode;
  /** Ignored if there is an `area`. */
  readonly pageSize: PageSize;
  /** Adjustments that the device should do itself if it can; each page says which were done. */
  readonly adjustments: readonly Adjustment[];
  /** The output format is lossless: a device with a lossless mode should not send a JPEG. Absent: no. */
  readonly lossless?: boolean;
  /** A page with more pixels is rejected with `unsupported` before it is allocated (promise 6). */
  readonly maxPixels: number;
}
