/** The client's request in the contract's words; an absent field was not specified. */
import type { ScanControls } from '../contract/controls.js';
import type { BarcodeWishes } from '../contract/recogniser.js';
import type { AdjustmentParameter, ColorMode, DuplexMode, PageSize } from '../contract/words.js';
import type { AskedByName, AskedReaders } from '../registry/asked.js';
import type { Separation } from './separation.js';

export const requestedSources = ['Feeder', 'Flatbed', 'Auto'] as const;
export type RequestedSource = (typeof requestedSources)[number];

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
  readonly barcode?: BarcodeWishes<string>;
  readonly ocr: boolean;
  /**
   * flag: each page says whether it is blank. drop: also, documents are without blank pages, which stay in the scan.
   * Absent: it is not found out.
   */
  readonly blankPages?: 'flag' | 'drop';
  /** Absent: all pages are one document. */
  readonly separate?: Separation;
  /** Recognisers of other kinds, by kind, with their wishes; checked. */
  readonly recognise?: AskedByName;
  /** Processors with names of their own, with their options; checked. */
  readonly process?: AskedByName;
  /** Which recogniser of a kind reads, if not the first. */
  readonly readers?: AskedReaders;
  /** Absent: as `Auto`, the feeder unless it is known to be empty. */
  readonly source?: RequestedSource;
  /** Most sheets to feed. Absent: all. */
  readonly sheets?: number;
  /** What the device does, or software where it cannot. */
  readonly controls?: ScanControls;
  /** Names of the parameters that the client gave: `driverOptions` may not contradict them. Absent: not known. */
  readonly given?: readonly string[];
  /** Seconds for the whole call; 0: no deadline. */
  readonly timeoutSeconds: number;
  /** Adds a report to each image. */
  readonly report: boolean;
}
