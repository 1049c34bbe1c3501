/** What core asks a session to scan. Every value is already known to be one that the device takes. */
import type { ScanControls } from './controls.js';
import type { Adjustment, ColorMode, DuplexMode, PageSize, Source } from './words.js';

export interface ScanOrder extends ScanControls {
  /** One of the sources in the session's capabilities: core chooses, also where there is only one. */
  readonly source: Source;
  /** The most sheets to feed; absent: until the feeder is empty. */
  readonly sheets?: number;
  /** Pixels per inch. */
  readonly resolution: number;
  readonly colorMode: ColorMode;
  readonly duplexMode: DuplexMode;
  readonly pageSize: PageSize;
  /** What the device should do itself where it can; it says on each page what it did. */
  readonly adjustments: readonly Adjustment[];
  /** The page is written in a format without loss: a device that has one should not send a JPEG. Absent: no. */
  readonly lossless?: boolean;
  /** A page with more pixels than this is refused with `unsupported` before it is allocated (promise 6). */
  readonly maxPixels: number;
}
