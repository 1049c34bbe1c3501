/** Processors in plain JavaScript, a few rows at a time: `color` reduces, every other adjustment turns by 180°. */
import { setImmediate as breathe } from 'node:timers/promises';
import { type ColorMode, type Pixels, type Processor, type RawPage, rowBytes } from '@platen/core/plugin';

export interface FakeProcessorOptions {
  /** Every page waits for it. */
  readonly until?: Promise<void>;
  /** Every page fails with it. */
  readonly fails?: unknown;
}

/** Black is what is darker than this. */
const HALF = 128;
const pixelsOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };
const poorness: readonly Pixels[] = ['rgb24', 'gray8', 'bw1'];

export function fakeProcessor(
  adjustment: Processor['adjustment'],
  options: FakeProcessorOptions = {},
): Processor & { readonly applies: number } {
  let applies = 0;
  return {
    adjustment,
    /** How many pages it was given so far. */
    get applies() {
      return applies;
    },
    async apply(page, { colorMode }, { signal }) {
      signal.throwIfAborted();
      applies++;
      await options.until;
      if ('fails' in options) throw options.fails;
      const wished = adjustment === 'color' ? pixelsOf[colorMode] : page.pixels;
      if (adjustment === 'color') {
        if (poorness.indexOf(wished) <= poorness.indexOf(page.pixels))
          return { page, applied: false, why: `the page is ${page.pixels} already` };
      } else if (page.width * page.height === 1) {
        return { page, applied: false, why: 'a single pixel looks the same both ways' };
      }
      const row: RowWork = adjustment === 'color' ? reduceRow : turnRow;
      return { page: await rowByRow(page, wished, row, signal), applied: true };
    },
  };
}

/** Fills row `y` of `to` from the page. */
type RowWork = (page: RawPage, to: RawPage, y: number) => void;

async function rowByRow(page: RawPage, pixels: Pixels, work: RowWork, signal: AbortSignal): Promise<RawPage> {
  const stride = rowBytes(pixels, page.width);
  const result: RawPage = { ...page, pixels, stride, data: new Uint8Array(stride * page.height) };
  const rowsAtOnce = Math.ceil(page.height / 50);
  for (let y = 0; y < page.height; y++) {
    work(page, result, y);
    if (y % rowsAtOnce === 0) await breathe();
    signal.throwIfAborted();
  }
  return result;
}

function reduceRow({ pixels, stride, data, width }: RawPage, to: RawPage, y: number): void {
  for (let x = 0; x < width; x++) {
    const from = y * stride + (pixels === 'rgb24' ? x * 3 : x);
    const grey =
      pixels === 'rgb24'
        ? Math.round(0.299 * data[from]! + 0.587 * data[from + 1]! + 0.114 * data[from + 2]!)
        : data[from]!;
    if (to.pixels === 'gray8') to.data[y * to.stride + x] = grey;
    else if (grey < HALF) to.data[y * to.stride + (x >> 3)]! |= 0x80 >> (x & 7);
  }
}

function turnRow({ pixels, stride, data, width, height }: RawPage, to: RawPage, y: number): void {
  const from = (height - 1 - y) * stride;
  const at = y * to.stride;
  for (let x = 0; x < width; x++) {
    const other = width - 1 - x;
    if (pixels === 'gray8') to.data[at + x] = data[from + other]!;
    else if (pixels === 'bw1')
      to.data[at + (x >> 3)]! |= data[from + (other >> 3)]! & (0x80 >> (other & 7)) ? 0x80 >> (x & 7) : 0;
    else for (let i = 0; i < 3; i++) to.data[at + x * 3 + i] = data[from + other * 3 + i]!;
  }
}
