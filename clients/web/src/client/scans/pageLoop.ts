/** The loop over a scan's pages: each page once, also over several loops; then the scan's failure. */
import { PlatenError, type PlatenErrorCode } from '../errors.js';
import type { ScanPage } from './scanPage.js';
import type { ScanProgress } from '../shapes.js';

export interface PagesOptions {
  /** Called when the scanner delivered a page, when a page is finished, and when the place in line changed. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  /**
   * Called with `false` when the connection is lost and the first retry fails, and with `true` when it is back. The loop
   * keeps retrying for about 24 s.
   */
  readonly onConnection?: ((connected: boolean) => void) | undefined;
}

export type Pages = AsyncIterableIterator<ScanPage, void, undefined>;

/** Why a scan that is over did not complete. */
export interface ScanFailure {
  readonly code: PlatenErrorCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** Where the pages come from. */
export interface PageSource {
  /**
   * The pages after this one, as they are finished, until the scan is over.
   * @param after a page's number; 0: from the first
   * @param signal the loop was left
   */
  follow(after: number, signal: AbortSignal, options: PagesOptions): AsyncGenerator<ScanPage, void, undefined>;
  /** Of the scan that is over; undefined if it completed. */
  failure(): ScanFailure | undefined;
}

/** @returns `pages()`: a new loop goes on after the last page that an earlier one gave */
export function createPageLoop({ follow, failure }: PageSource): (options?: PagesOptions) => Pages {
  const given: ScanPage[] = [];
  const last = (): number => given.at(-1)?.number ?? 0;

  async function* loop(left: AbortSignal, options: PagesOptions): AsyncGenerator<ScanPage, void, undefined> {
    try {
      for await (const page of follow(last(), left, options)) {
        // Another loop may have given it.
        if (page.number <= last()) continue;
        given.push(page);
        yield page;
      }
    } catch (error) {
      if (left.aborted) return;
      if (!(error instanceof PlatenError)) throw error;
      const { code, message, cause } = error;
      throw new PlatenError(code, message, { ...error, pages: [...given], cause });
    }
    const failed = failure();
    if (failed) throw new PlatenError(failed.code, failed.message, { pages: [...given], cause: failed.cause });
  }

  return (options = {}) => {
    const leave = new AbortController();
    const pages = loop(leave.signal, options);
    return {
      next: () => pages.next(),
      async return() {
        leave.abort();
        await pages.return();
        return { value: undefined, done: true };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
}
