/** What an on-demand scan comes to: its images, and why there are no more of them. */
import type { ErrorCode, KeptBytes, OnDemandRun, ScanError, ScanNote, ShelvedPage } from '@platen/core';
import { imageFacts, type ImageFacts } from '../http/dto/image.js';

export interface KeptImage {
  readonly facts: ImageFacts;
  readonly bytes: KeptBytes;
}

export interface Collected {
  readonly images: readonly KeptImage[];
  /** Why the scan did not succeed. */
  readonly code: ErrorCode | undefined;
  /** What the scan failed with. */
  readonly cause: ScanError | undefined;
  /** What a person should know. */
  readonly notes: readonly ScanNote[];
  /** Whether the client wants to know what became of each wish. */
  readonly report: boolean;
}

/** These are about the request, not about the paper: without pages there is nothing to answer with but the error. `busy` is the scanner's own word, too. */
export const refusals: ReadonlySet<ErrorCode> = new Set([
  'invalid-value',
  'device-not-found',
  'not-connected',
  'no-source-open',
]);

/**
 * What becomes of a scan whose pages go to a shelf.
 * @param pages on the shelf, when the run is over
 * @param report says with each image what became of each wish
 * @throws a refused request, before any page
 */
export async function collect(run: OnDemandRun, pages: readonly ShelvedPage[], report: boolean): Promise<Collected> {
  const cause = await run.over;
  const code = cause?.code;
  if (code && pages.length === 0 && refusals.has(code)) throw cause;
  const images = pages.map(({ page, bytes }) => ({ facts: imageFacts(page, bytes.size, report), bytes }));
  return { images, code, cause, notes: run.notes, report };
}
