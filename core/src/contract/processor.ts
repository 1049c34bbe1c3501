/** A processor does in software what the scanner did not do, or what only its vendor knows. */
import type { PageControl, ScanControls } from './controls.js';
import type { Call } from './driver.js';
import type { RawPage } from './page.js';
import type { Adjustment, ColorMode } from './words.js';

export interface Adjusted {
  /** A new page, or the input if nothing was done. */
  readonly page: RawPage;
  readonly applied: boolean;
  /** Why nothing was done: "the page has no text to tell which way is up". */
  readonly why?: string;
}

/**
 * `color`: reduces a page to the requested colour mode. `threshold`: reduces it to 1-bit by the requested threshold.
 * `area`: cuts it to the requested area. The others are the contract's adjustments and controls.
 */
export type ProcessorTask = Adjustment | 'color' | PageControl;

/** What the request says; a processor reads its own. */
export interface ProcessorWish extends Pick<ScanControls, PageControl> {
  readonly colorMode: ColorMode;
}

export interface Processor {
  readonly adjustment: ProcessorTask;
  /** Never runs on the event loop; never writes to the input page. */
  apply(page: RawPage, wish: ProcessorWish, call: Call): Promise<Adjusted>;
}

/**
 * A processor with a name of its own: a request says `process: { despeckle: { radius: 1 } }`. Runs after the adjustments,
 * in the order of the configuration, before recognition and encoding.
 */
export interface CustomProcessor<Options = Readonly<Record<string, unknown>>> {
  readonly adjustment?: undefined;
  /** Letters, digits, `-` and `_`, from a letter: `despeckle`. Unique. */
  readonly name: string;
  /**
   * A JSON Schema of what a request may say, of the type `object`, without `$ref`; `{}` accepts anything. Absent: it
   * takes no options.
   */
  readonly options?: object;
  /**
   * Never runs on the event loop; never writes to the input page.
   * @param options checked against the schema, with its defaults filled in
   */
  apply(page: RawPage, options: Options, call: Call): Promise<Adjusted>;
}
