/** The result of an on-demand scan: its images, and why it ended. */
import type { ErrorCode, KeptBytes, OnDemandRun, ScanError, ScanNote, StoredPage } from '@platen/core';
import { imageFacts, type ImageFacts } from '../shapes/image.js';

export interface KeptImage {
  readonly facts: ImageFacts;
  readonly bytes: KeptBytes;
}

export interface Collected {
  readonly images: readonly KeptImage[];
  /** Why the scan failed. */
  readonly code: ErrorCode | undefined;
  /** The error that ended the scan. */
  readonly cause: ScanError | undefined;
  /** Notes for a person. */
  readonly notes: readonly ScanNote[];
  /** Whether the client requested a report of each adjustment. */
  readonly report: boolean;
}

/** Faults of the request and not of the scan: without pages, the answer is only the error. */
export const refusals: ReadonlySet<ErrorCode> = new Set([
  'invalid-value',
  'device-not-found',
  'not-connected',
  'no-source-open',
]);

/**
 * Waits for a scan.
 * @param pages has all of them when the run is over
 * @param report adds each requested adjustment and its result to each image
 * @throws a rejected request, before any page
 */
export async function collect(run: OnDemandRun, pages: readonly StoredPage[], report: boolean): Promise<Collected> {
  const cause = await run.over;
  const code = cause?.code;
  if (code && pages.length === 0 && (refusals.has(code) || (await wasRefused(run, code)))) throw cause;
  const images = pages.map(bytes => ({ facts: imageFacts(bytes.page, bytes.size, report), bytes }));
  return { images, code, cause, notes: run.notes, report };
}

/** Another scan or auto-scan had the scanners. A scanner that is `busy` itself has failed a scan that began. */
async function wasRefused(run: OnDemandRun, code: ErrorCode): Promise<boolean> {
  return code === 'busy' && !(await run.located);
}
