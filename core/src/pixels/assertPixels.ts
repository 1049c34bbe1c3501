/** The limit on a page's size, for drivers: checked before anything is allocated for the page (promise 6). */
import { ScanError } from '../contract/errors.js';

/**
 * @param width in pixels, like `height`
 * @throws ScanError `unsupported` if the product is more than `maxPixels`
 */
export function assertPixels(width: number, height: number, maxPixels: number): void {
  const pixels = width * height;
  if (pixels <= maxPixels) return;
  const size = `${width} x ${height} = ${pixels} pixels`;
  throw new ScanError('unsupported', `The page has ${size}, more than the ${maxPixels} allowed.`);
}
