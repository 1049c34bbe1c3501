/** What the loaded plugins let a page ask for, now and whenever it changes. */
import { cancelled } from './errors.js';
import { serviceEvents } from './eventStream.js';
import type { Ask, CallOptions, Service } from './transport/ask.js';
import type { FeatureList } from './shapes.js';

/** The list, without what every answer has. */
function listIn({ success: _, ...list }: FeatureList & { readonly success?: unknown }): FeatureList {
  return list;
}

export async function features(service: Service, options?: CallOptions & Pick<Ask, 'consent'>): Promise<FeatureList> {
  return listIn(await service.json<FeatureList>('/api/features', options));
}

/**
 * The list now, and whenever it has changed, until the signal is aborted. No connection is open while the document is
 * hidden; one that is lost is tried again for as long as it takes.
 * @throws PlatenError `cancelled`; `consent-required` or `consent-refused` if the page may not scan, or not any more;
 * `unknown-path` if the service is too old
 */
export async function* followFeatures(
  service: Service,
  { signal = new AbortController().signal }: CallOptions = {},
): AsyncGenerator<FeatureList, never, undefined> {
  let told: string | undefined;
  for (;;) {
    await visible(signal);
    if (signal.aborted) throw cancelled(signal);
    const shown = whileShown(signal);
    try {
      for await (const { event, data } of serviceEvents(service, '/api/features/events', {
        signal: shown.signal,
        retries: RETRY_MS,
        isPatient: true,
      })) {
        if (event !== 'features') continue;
        const list = listIn(JSON.parse(data) as FeatureList);
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
