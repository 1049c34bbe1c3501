/** A processor does in software what the scanner did not do. */
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

export interface Processor {
  /** `color`: reduces a page to the requested colour mode. The others are the contract's adjustments. */
  readonly adjustment: Adjustment | 'color';
  /** Never runs on the event loop; never writes to the input page. */
  apply(page: RawPage, wish: { readonly colorMode: ColorMode }, call: Call): Promise<Adjusted>;
}
