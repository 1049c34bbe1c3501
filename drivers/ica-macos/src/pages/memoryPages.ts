/** Pages from the bands of a scan in memory. */
import { ScanError } from '@platen/core/plugin';
import type { Frame, PageRows } from '@platen/driver-kit';
import { createAssembly, type Assembly } from './assembly.js';
import { readBand, type Band } from './band.js';
import type { ScanHow } from '../device/handle.js';

export interface PageSource<T> extends ScanHow {
  /** Whether an incomplete page has begun. */
  readonly isTorn: boolean;
  /** Ends the scan's last page, with the rows that arrived. */
  last(): T | undefined;
}

export interface PageTaker<T> {
  readonly maxPixels: number;
  /** Takes a complete page; reading pauses until it resolves. */
  give(page: T): Promise<void>;
  /** Aborted when the scan is discarded: frames are dropped from then on. */
  fail(error: unknown): void;
}

export function memoryPages({ maxPixels, give, fail }: PageTaker<PageRows>): PageSource<PageRows> {
  let page: Assembly | undefined;
  let failed = false;

  /** @throws the error that fails the scan */
  function pageOf(band: Band): { readonly of: Assembly; readonly before: PageRows | undefined } {
    let before: PageRows | undefined;
    if (!page?.owns(band)) {
      before = page?.finish();
      page = undefined; // also if the next one is rejected
      page = createAssembly(band, maxPixels);
    }
    if (page.misses(band))
      throw new ScanError('driver-failed', 'The scanner left out rows of a page. Scan this page again.');
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

  /** Ends a page when the next one begins: the sheet was shorter than the scanner's estimate. */
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
