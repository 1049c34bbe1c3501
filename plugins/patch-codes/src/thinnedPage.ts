/** Every n-th row of a page: what a thread needs of it. The other rows are not copied. */
import { setImmediate as turn } from 'node:timers/promises';
import { rowBytes, type RawPage } from '@platen/core/plugin';

/** A narrow bar has eight rows at this resolution. */
const THIN_DPI = 100;
/** Bytes copied between two turns of the event loop: about a millisecond. */
const SLICE = 4 << 20;

export interface ThinnedPage extends Pick<RawPage, 'pixels' | 'width' | 'height' | 'dpi' | 'data'> {
  /** Pixels of the page from one row to the next. `height` counts rows that are here; `dpi` and `width` are the page's. */
  readonly step: number;
}

/**
 * In a buffer of its own: formats and other recognisers read the page's at the same time.
 * @throws the signal's reason
 */
export async function thinned(page: RawPage, signal: AbortSignal): Promise<ThinnedPage> {
  const { pixels, width, dpi } = page;
  const step = Math.max(1, Math.floor(dpi / THIN_DPI));
  const height = Math.ceil(page.height / step);
  const row = rowBytes(pixels, width);
  const data = new Uint8Array(row * height);
  let since = 0;
  for (let y = 0; y < height; y++) {
    const from = y * step * page.stride;
    data.set(page.data.subarray(from, from + row), y * row);
    since += row;
    if (since < SLICE) continue;
    since = 0;
    await turn();
    signal.throwIfAborted();
  }
  return { pixels, width, height, dpi, step, data };
}
