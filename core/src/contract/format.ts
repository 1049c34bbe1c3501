/** An image format: turns a page's pixels into a file's bytes. */
import type { Call } from './driver.js';
import type { RawPage } from './page.js';

export const formatNames = ['Png', 'Jpeg', 'Tiff', 'Bmp'] as const;

/** The pixels of a decoded image; what else a page knows comes from the page that it was decoded for. */
export type DecodedImage = Pick<RawPage, 'width' | 'height' | 'pixels' | 'stride' | 'data'>;

export interface Format {
  /** As the interface spells it in `imageFormat` and in an image's `format`: `Png`. */
  readonly name: string;
  /** Other names that a client may use for it in `outputFormat`, in lower case: `['jpeg', 'jpg']`. */
  readonly aliases: readonly string[];
  readonly mimeType: string;
  /**
   * Writes the page's width, height, colour depth and resolution into one file. Never on the event loop.
   * @param options.quality 1 to 100; for formats that lose detail
   */
  encode(page: RawPage, options: { readonly quality: number }, call: Call): Promise<Uint8Array>;
  /** Reads a file of this format that a device delivered. */
  decode?(bytes: Uint8Array, call: Call): Promise<DecodedImage>;
}
