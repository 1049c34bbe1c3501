/** A scan on demand: every page in one answer, and the pages of one that did not go well. */
import { codeOfScan, PlatenError } from './errors.js';
import { readLarge } from './largeAnswer.js';
import { pageWith, type Image } from './page.js';
import { cancelled, failureOf, jsonOf, type CallOptions, type Service } from './service.js';
import type { Note, ScanParameters, ScanResult } from './shapes.js';
import { within } from './waiting.js';

export interface ScanOptions extends CallOptions {
  /** Names the scan for `cancel(requestId)`: up to 200 printable characters without spaces. Absent: one of its own. */
  readonly requestId?: string;
}

/** How long an aborted scan may take until its answer begins: the sheet in hand is finished first. With the answer come pages that are nowhere else. */
const GRACE_MS = 120_000;
/** How often it is asked again: a cancel may be there before its scan is. */
const AGAIN_MS = 500;

/** An aborted signal cancels at the scanner, and rejects with `cancelled` and the pages that were finished. */
export async function scan(
  service: Service,
  scannerName: string,
  parameters: ScanParameters = {},
  { signal, requestId = newId() }: ScanOptions = {},
): Promise<ScanResult> {
  if (signal?.aborted) throw cancelled(signal);
  const hangUp = new AbortController();
  const asked = service.ask('/api/twain/scan', {
    method: 'POST',
    body: { scannerName, parameters, requestId },
    signal: hangUp.signal,
  });
  const leave = (): void => void wave(service, requestId, asked, hangUp);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    const result = await resultIn(await asked, hangUp.signal);
    if (signal?.aborted)
      throw new PlatenError('cancelled', 'The scan was cancelled when its last page was through.', {
        pages: result.pages,
        cause: signal.reason,
      });
    return result;
  } finally {
    signal?.removeEventListener('abort', leave);
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
  const pages = images.map(({ base64Data, ...facts }) => pageWith(facts, [blobs[Number(base64Data)] ?? new Blob()]));
  if (!success) throw new PlatenError(codeOfScan(status), error ?? message, { httpStatus: response.status, pages });
  return { status, message, pages, elapsedMs, ...(notes ? { notes } : {}) };
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

/** Cancels until the scan's answer begins, and hangs up on one that does not. */
async function wave(
  service: Service,
  requestId: string,
  asked: Promise<unknown>,
  hangUp: AbortController,
): Promise<void> {
  let begun = false;
  const begin = asked.catch(() => undefined).then(() => void (begun = true));
  for (let waited = 0; !begun && waited < GRACE_MS; waited += AGAIN_MS) {
    await cancel(service, requestId, { signal: hangUp.signal }).catch(() => undefined);
    await within(AGAIN_MS, begin);
  }
  if (!begun) hangUp.abort();
}

/** Ends the running scan after the sheet in hand. @returns a sentence; that no scan was active is no error */
export async function cancel(
  service: Service,
  requestId: string | undefined,
  options: CallOptions = {},
): Promise<string> {
  const { message } = await service.json<{ message: string }>('/api/twain/cancel', {
    method: 'POST',
    body: requestId === undefined ? {} : { requestId },
    ...options,
  });
  return message;
}

/** `crypto.randomUUID` is missing where a page is not secure. */
function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
