/** A processor does in software what the scanner did not do itself. */
import type { Call } from './driver.js';
import type { RawPage } from './page.js';
import type { Adjustment, ColorMode } from './words.js';

export interface Adjusted {
  /** A new page, or the one that came in when nothing was done to it. */
  readonly page: RawPage;
  readonly applied: boolean;
  /** Why nothing was done: "the page has no text to tell which way is up". */
  readonly why?: string;
}

export interface Processor {
  /** `color`: reduces a page to the colour mode of the wish. The rest are the contract's adjustments. */
  readonly adjustment: Adjustment | 'color';
  /** Never on the event loop; never writes to the page that came in. */
  apply(page: RawPage, wish: { readonly colorMode: ColorMode }, call: Call): Promise<Adjusted>;
}
