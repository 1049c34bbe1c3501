/** Follows what the loaded plugins let a page ask for. */
import type { EventStreamOptions } from './eventStream.js';
import type { CallOptions } from './transport/ask.js';
import type { FeatureList } from './shapes.js';
import type { StreamEvent } from './transport/events.js';

/**
 * The list now, and whenever it has changed, until the signal is aborted. No connection is open while the document is
 * hidden; one that is lost is tried again for as long as it takes.
 * @param events of a service; not imported here, because a component loads this file late, and has them already
 * @throws PlatenError `cancelled`; `consent-required` or `consent-refused` if the page may not scan, or not any more;
 * `unknown-path` if the service is too old
 */
export async function* followFeatures(
  events: (options: EventStreamOptions) => AsyncIterable<StreamEvent>,
  { signal = new AbortController().signal }: CallOptions = {},
): AsyncGenerator<FeatureList, never, undefined> {
  let told: string | undefined;
  for (;;) {
    await visible(signal);
    const shown = whileShown(signal);
    try {
      const options = { signal: shown.signal, retries: RETRY_MS, isPatient: true };
      for await (const { event, data } of events(options)) {
        if (event !== 'features') continue;
        const { success: _, ...list } = JSON.parse(data) as FeatureList & { readonly success?: unknown };
        // After a restart of the service, the same list may have another revision, and another list the same.
        const text = JSON.stringify({ ...list, revision: 0 });
        if (text === told) continue;
        told = text;
        yield list;
      }
    } catch (error) {
      if (signal.aborted || !shown.signal.aborted) throw error;
    } finally {
      shown.end();
    }
  }
}

/** Pauses before each retry; the last one is repeated. */
const RETRY_MS = [0, 500, 1000, 2000, 5000, 10_000];

/** Node and workers have no document. */
const isHidden = (): boolean => globalThis.document?.visibilityState === 'hidden';

/** Resolves when the document is visible, or the signal is aborted. */
function visible(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (isHidden() && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    if (!isHidden()) return resolve();
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** A signal that is aborted when the document is hidden, or by the given one. */
function whileShown(signal: AbortSignal): { readonly signal: AbortSignal; end(): void } {
  const own = new AbortController();
  const look = (): void => {
    if (isHidden() || signal.aborted) own.abort(signal.reason);
  };
  const end = (): void => {
    globalThis.document?.removeEventListener('visibilitychange', look);
    signal.removeEventListener('abort', look);
  };
  globalThis.document?.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', look);
  look();
  return { signal: own.signal, end };
}
