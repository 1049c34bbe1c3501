/** Pages out of the bands of a scan in memory. */
import type { Frame, PageRows } from '@platen/driver-kit';
import { createAssembly, type Assembly } from './assembly.js';
import { readBand, type Band } from './band.js';
import type { ScanHow } from './handle.js';

export interface PageSource<T> extends ScanHow {
  /** Whether a page has begun that is not whole. */
  readonly isTorn: boolean;
  /** The page that the scan's end leaves, as far as it came. */
  last(): T | undefined;
}

export interface PageTaker<T> {
  readonly maxPixels: number;
  /** Takes a whole page; nothing is read before it resolves. */
  give(page: T): Promise<void>;
  /** The scan is of no use any more: frames are dropped from then on. */
  fail(error: unknown): void;
}

export function memoryPages({ maxPixels, give, fail }: PageTaker<PageRows>): PageSource<PageRows> {
  let page: Assembly | undefined;
  let failed = false;

  /** @throws what fails the scan */
  function pageOf(band: Band): { readonly of: Assembly; readonly before: PageRows | undefined } {
    if (page?.owns(band)) return { of: page, before: undefined };
    const before = page?.finish();
    page = undefined; // also where the next one is refused
    page = createAssembly(band, maxPixels);
    return { of: page, before };
  }

  function guard<T>(work: () => T): T | undefined {
    if (failed) return undefined;
    try {
      return work();
    } catch (error) {
      failed = true;
      page = undefined;
      fail(error);
      return undefined;
    }
  }

  /** A page that its successor ended: the feeder found the sheet's end before the scanner's own estimate. */
  let ended: PageRows | undefined;

  function begin(header: Frame['header']): Assembly | undefined {
    return guard(() => {
      const { of, before } = pageOf(readBand(header));
      ended ??= before;
      return of;
    });
  }

  return {
    place: (header, length) => guard(() => begin(header)?.place(readBand(header), length)),
    async onMore({ header, data }) {
      const band = guard(() => readBand(header));
      const own = band && begin(header);
      if (!band || !own) return;
      own.take(band, data);
      const before = ended;
      ended = undefined;
      if (before) await give(before);
      if (!own.isWhole) return;
      page = undefined;
      const whole = own.finish();
      if (whole) await give(whole);
    },
    get isTorn() {
      return page !== undefined;
    },
    last() {
      const rest = page?.finish();
      page = undefined;
      return rest;
    },
  };
}
