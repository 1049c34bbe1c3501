/** An image format: encodes a page's pixels into a file. */
import type { Call } from './driver.js';
import type { RawPage } from './page.js';

export const formatNames = ['Png', 'Jpeg', 'Tiff', 'Bmp'] as const;

/** Pixels of a decoded image; the other facts come from the page that it was decoded for. */
export type DecodedImage = Pick<RawPage, 'width' | 'height' | 'pixels' | 'stride' | 'data'>;

export interface Format {
  /**
   * In `imageFormat` and in an image's `format`: `Png`. Letters and digits. Unique, also among other cases of its
   * letters, and among the aliases of all formats.
   */
  readonly name: string;
  /** Other names that a client may use, and endings of files: letters in lower case and digits: `['jpeg', 'jpg']`. */
  readonly aliases: readonly string[];
  readonly mimeType: string;
  /** Whether a file has the page's exact pixels. Absent: not for `image/jpeg`, and for any other type. */
  readonly lossless?: boolean;
  /**
   * Encodes the page with its width, height, colour depth and resolution. Never runs on the event loop.
   * @param options.quality 1 to 100; for lossy formats
   */
  encode(page: RawPage, options: { readonly quality: number }, call: Call): Promise<Uint8Array>;
  /** Decodes a file of this format that a device delivered. */
  decode?(bytes: Uint8Array, call: Call): Promise<DecodedImage>;
}

/** Whether its files may differ from the page. */
export function isLossy({ lossless, mimeType }: Pick<Format, 'lossless' | 'mimeType'>): boolean {
  return !(lossless ?? mimeType !== 'image/jpeg');
}
