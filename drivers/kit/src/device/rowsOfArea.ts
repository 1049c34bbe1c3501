/** A page of the size of a requested area, from what the device delivered. */
import type { PageRows } from './pageBuffer.js';

/** In pixels. */
export interface AreaSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The upper left part of a larger page; its rows keep their distance. A narrower page stays as narrow.
 * @param mayEnd the page ends with its sheet: below a shorter one is background, white
 */
export function rowsOfArea<Page extends PageRows>(page: Page, size: AreaSize, mayEnd: boolean): Page {
  const { stride, pixels } = page;
  const width = Math.min(page.width, size.width);
  if (page.height >= size.height || !mayEnd) {
    const height = Math.min(page.height, size.height);
    return { ...page, width, height, data: page.data.subarray(0, height * stride) };
  }
  const data = new Uint8Array(size.height * stride).fill(pixels === 'bw1' ? 0 : 0xff);
  data.set(page.data.subarray(0, page.height * stride));
  return { ...page, width, height: size.height, data };
}
