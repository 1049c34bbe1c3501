/** Rows of a page in shared memory, in which they are passed to a thread; the next page reuses it. */
import { setImmediate as turn } from 'node:timers/promises';
import { rowBytes, type Pixels, type RawPage } from '@platen/core/plugin';

/** A page of which only every so many rows are there: enough to find strokes of 0.2 mm. */
export interface PageRows {
  readonly pixels: Pixels;
  /** In pixels of the page. */
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** One sample is taken of a square of so many pixels. */
  readonly step: number;
  /** The rows 0, step, 2 · step …; of a 1-bit page every row, as its lines may be a pixel thin. No padding. */
  readonly data: Uint8Array;
}

/** Samples of a finer page are this close at least. */
const SAMPLE_DPI = 140;
/** More samples are not taken, whatever the page's size. */
const MOST_SAMPLES = 16_000_000;
/** A page that claims less is a driver's mistake. */
const LEAST_DPI = 50;
/** Bytes copied between two turns of the event loop: about a millisecond. */
const SLICE = 4 << 20;
/** A buffer larger than this is not kept for the next page. */
const KEEP = 64 << 20;

export interface SharedRows {
  /**
   * The page's own buffer stays as it is: formats encode it meanwhile.
   * @throws the signal's reason
   */
  copy(page: RawPage, signal: AbortSignal): Promise<PageRows>;
}

export function createSharedRows(): SharedRows {
  let kept = new SharedArrayBuffer(0);
  return {
    async copy(page, signal) {
      const { pixels, width, height, stride, data } = page;
      const dpi = Math.max(LEAST_DPI, page.dpi);
      const step = stepOf(width, height, dpi);
      const every = pixels === 'bw1' ? 1 : step;
      const row = rowBytes(pixels, width);
      const rows = Math.ceil(height / every);
      const size = rows * row;
      const buffer = size <= kept.byteLength ? kept : new SharedArrayBuffer(size);
      kept = buffer.byteLength <= KEEP ? buffer : new SharedArrayBuffer(0);
      const copy = new Uint8Array(buffer, 0, size);
      for (let y = 0, since = 0; y < rows; y++, since += row) {
        if (since >= SLICE) {
          since = 0;
          await turn();
          signal.throwIfAborted();
        }
        const from = y * every * stride;
        copy.set(data.subarray(from, from + row), y * row);
      }
      return { pixels, width, height, dpi, step, data: copy };
    },
  };
}

/** A power of two, so that the bits of a byte belong to whole squares. */
function stepOf(width: number, height: number, dpi: number): number {
  let step = 1;
  while (dpi / (step * 2) >= SAMPLE_DPI || (width / step) * (height / step) > MOST_SAMPLES) step *= 2;
  return step;
}
