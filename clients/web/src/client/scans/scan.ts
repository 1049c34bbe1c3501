/** A scan on demand: all pages in one answer, also those of a scan that failed. */
import { cancelUntilAnswered, newId } from './cancel.js';
import { cancelled, codeOfStatus, PlatenError } from '../errors.js';
import { readLarge } from './largeAnswer.js';
import { leave, left } from './leaving.js';
import { pageOf, type Image } from './page.js';
import type { CallOptions, Service } from '../transport/ask.js';
import { failureOf, jsonOf } from '../service.js';
import type { Note, ScannedPage, ScanParameters, ScanResult } from '../shapes.js';

export interface ScanOptions extends CallOptions {
  /** Names the scan for `cancel(requestId)`: up to 200 printable characters without spaces. Absent: a random one. */
  readonly requestId?: string;
}

/** Aborting the signal cancels at the scanner; the promise rejects with `cancelled` and the finished pages. */
export async function scan(
  service: Service,
  scannerName: string,
  parameters: ScanParameters = {},
  { signal, requestId = newId() }: ScanOptions = {},
): Promise<ScanResult> {
  const others = left(service);
  if (others) await others;
  if (signal?.aborted) throw cancelled(signal);
  const hangUp = new AbortController();
  const asked = service.ask('/api/twain/scan', {
    method: 'POST',
    body: { scannerName, parameters, requestId },
    signal: hangUp.signal,
    consent: signal,
  });
  const onAbort = (): void => leave(service, cancelUntilAnswered(service, requestId, asked, hangUp));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await resultIn(await asked, hangUp.signal);
    if (signal?.aborted) throw cancelled(signal, 'The scan was cancelled after its last page.', result.pages);
    return result;
  } catch (error) {
    // The service does not know why it was cancelled.
    if (signal?.aborted && error instanceof PlatenError && error.code === 'cancelled' && error.cause === undefined)
      throw cancelled(signal, error.message, error.pages, error.httpStatus);
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function resultIn(response: Response, signal: AbortSignal): Promise<ScanResult> {
  let blobs: readonly Blob[] = [];
  const answer = await jsonOf(response, signal, async () => {
    const { text, ...large } = response.body ? await readLarge(response.body) : { text: '', blobs };
    blobs = large.blobs;
    return text;
  });
  if (typeof answer['status'] !== 'string' || !Array.isArray(answer['images'])) throw failureOf(response, answer);
  const { success, status, message, error, images, elapsedMs, notes } = answer as unknown as Answer;
  const pages: ScannedPage[] = [];
  let damaged: unknown;
  for (const image of images)
    try {
      pages.push(pageOf(image, blobs));
    } catch (cause) {
      damaged ??= cause;
    }
  const failed = damaged instanceof PlatenError ? damaged : { code: codeOfStatus(status), message: error ?? message };
  if (damaged || !success) throw new PlatenError(failed.code, failed.message, { httpStatus: response.status, pages });
  return { status: 'Success', message, pages, elapsedMs, ...(notes ? { notes } : {}) };
}

interface Answer {
  readonly success: boolean;
  readonly status: string;
  readonly message: string;
  readonly error?: string;
  readonly images: readonly Image[];
  readonly elapsedMs: number;
  readonly notes?: readonly Note[];
}
