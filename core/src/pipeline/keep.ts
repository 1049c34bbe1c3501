/** Where the finished pages of a scan go: each is stored before the next one is requested. */
import type { ScanError } from '../contract/errors.js';
import type { FinishedPage } from './finish.js';

/**
 * Always keeps the page. Resolves when the next one may follow.
 * @param stop aborted when nothing more is fed: pages in the path must come out, so keeping never waits for room
 * @returns why no other page should follow: this ends the scan, which fails with the first such reason
 */
export type KeepPage = (page: FinishedPage, stop: AbortSignal) => Promise<ScanError | undefined>;
