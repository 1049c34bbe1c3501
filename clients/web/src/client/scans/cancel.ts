/** Ends a scan by its `requestId`. */
import type { Ask, Service } from '../transport/ask.js';
import { hexOf } from './sha256.js';
import { within } from '../transport/waiting.js';

/**
 * How long an aborted scan may take until its answer begins: the scanner finishes the current sheet first. Only this
 * answer has the scan's pages.
 */
const GRACE_MS = 120_000;
/** How often to repeat the cancel: it may arrive before its scan does. */
const AGAIN_MS = 500;

/** Repeats the cancel until the scan's answer begins; aborts the request if it never does. */
export async function cancelUntilAnswered(
  service: Service,
  requestId: string,
  asked: Promise<unknown>,
  hangUp: AbortController,
): Promise<void> {
  let begun = false;
  const begin = asked.catch(() => undefined).then(() => void (begun = true));
  for (let waited = 0; !begun && waited < GRACE_MS; waited += AGAIN_MS) {
    await cancel(service, requestId, { signal: hangUp.signal, consent: false }).catch(() => undefined);
    await within(AGAIN_MS, begin);
  }
  if (!begun) hangUp.abort();
}

/** Ends the scans of this page's origin after the current sheet. @returns a sentence, also if no scan was active */
export async function cancel(service: Service, requestId: string | undefined, options: Ask = {}): Promise<string> {
  const { message } = await service.json<{ message: string }>('/api/twain/cancel', {
    method: 'POST',
    body: requestId === undefined ? {} : { requestId },
    ...options,
  });
  return message;
}

/** `crypto.randomUUID` is missing in an insecure page. */
export const newId = (): string => hexOf(crypto.getRandomValues(new Uint8Array(16)));
