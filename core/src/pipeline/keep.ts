/** Where the finished pages of a scan go: each is kept before the next one is asked for. */
import type { ScanError } from '../contract/errors.js';
import type { FinishedPage } from './finish.js';
import type { KeptBytes, Shelf } from './spool.js';

/**
 * Keeps a page, come what may, and comes back when the next one may come.
 * @param stop aborted when nothing more is fed: what is in the path has to come out, so nothing is waited for
 * @returns why no other page should come: it ends the scan, which fails with the first such reason
 */
export type KeepPage = (page: FinishedPage, stop: AbortSignal) => Promise<ScanError | undefined>;

/** A finished page whose bytes lie on a shelf. */
export interface ShelvedPage {
  readonly page: Omit<FinishedPage, 'data'>;
  readonly bytes: KeptBytes;
}

/** @param pages takes the pages, in order */
export function keepOnShelf(shelf: Shelf, pages: ShelvedPage[]): KeepPage {
  return async ({ data, ...page }) => {
    const { kept, problem } = await shelf.put(data);
    pages.push({ page, bytes: kept });
    return problem;
  };
}
