/** Collects the pages of an on-demand scan on a shelf; a failure does not lose the pages before it. */
import { codeOf, type ErrorCode, type KeptBytes, type ScanError, type ScanRun, type Shelf } from '@platen/core';
import { imageFacts, type ImageFacts } from '../http/dto/image.js';

export interface KeptImage {
  readonly facts: ImageFacts;
  readonly bytes: KeptBytes;
}

export interface Collected {
  readonly images: readonly KeptImage[];
  /** Why the scan did not succeed. */
  readonly code: ErrorCode | undefined;
  /** What was thrown. */
  readonly cause: unknown;
  /** What a person should know. */
  readonly notes: readonly string[];
}

/** These are about the request, not about the paper: without pages there is nothing to answer with but the error. `busy` is the scanner's own word, too. */
export const refusals: ReadonlySet<ErrorCode> = new Set(['invalid-value', 'device-not-found', 'not-connected', 'no-source-open']);

/**
 * Pulls the whole scan.
 * @param report says with each image what became of each wish
 * @param onPage called with each page that is finished
 * @throws a refused request, before any page
 */
export async function collect(run: ScanRun, shelf: Shelf, report: boolean, onPage: () => void = () => undefined): Promise<Collected> {
  const images: KeptImage[] = [];
  let cause: unknown;
  let full: ScanError | undefined;
  try {
    for await (const page of run.pages) {
      const { kept: bytes, problem } = await shelf.put(page.data);
      images.push({ facts: imageFacts(page, page.data.byteLength, report), bytes });
      onPage();
      if (problem && !full) run.end((full = problem));
    }
  } catch (error) {
    cause = full ?? error;
  }
  const code = cause === undefined ? undefined : (codeOf(cause) ?? 'internal');
  if (code && images.length === 0 && refusals.has(code)) throw cause;
  return { images, code, cause, notes: [...run.notes] };
}
