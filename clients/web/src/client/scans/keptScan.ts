/** A scan that the service keeps: its pages as they are finished, its end, and its continuation. */
import type { DocumentOptions, SeparatedDocument } from './document.js';
import { cancelled, PlatenError, type PlatenErrorCode } from '../errors.js';
import { leave } from './leaving.js';
import { createLink } from '../transport/link.js';
import { createPageLoop, type Pages, type PageSource, type PagesOptions } from './pageLoop.js';
import { serviceEvents } from '../eventStream.js';
import { scanPageOf, type WirePage } from './scanPage.js';
import type { Ask, CallOptions, Service } from '../transport/ask.js';
import { scanPath } from '../service.js';
import type { ScanFacts } from '../shapes.js';

/** Its facts are those of the last call, or of the last event that a loop read. */
export interface Scan extends Omit<ScanFacts, 'error'> {
  /** Why it failed or was cancelled; undefined while it runs, and when it completed. */
  readonly code: PlatenErrorCode | undefined;
  /** The same for the user. */
  readonly error: string | undefined;
  /**
   * The pages as they are finished: a loop ends when the scan completed. If it did not, the loop throws PlatenError, with
   * the pages that it gave. Another loop goes on after the last page that was given: after `continue()`, or after
   * `no-answer`. A loop that is left does not cancel the scan.
   */
  pages(options?: PagesOptions): Pages;
  /**
   * One file of its pages, whole. While the scan runs, it resolves when the scan is over. Of a scan that failed, it has
   * the pages so far; then `state` and `code` say that it failed.
   * @param format its extension: `pdf` if absent, `tif`, or one of a plugin
   * @throws PlatenError; `invalid-value` for an unknown format or page, `no-pages`, `storage-failed` if a page is damaged
   */
  document(format?: string, options?: DocumentOptions): Promise<Blob>;
  /** Its documents: one, or those that `separate` made. While the scan runs, those so far. */
  documents(options?: CallOptions): Promise<readonly SeparatedDocument[]>;
  /** You have everything: the service lets its pages go. @throws `busy` while the scan runs */
  done(options?: CallOptions): Promise<void>;
  /** Ends the scan after the current sheet. The loop gives its pages and throws `cancelled`. */
  cancel(options?: CallOptions): Promise<void>;
  /**
   * Scans on, with the same options: after a jam, with more paper in the feeder, or for the next page on the flatbed.
   * Page numbers go on. The signal cancels, as with `startScan()`. Then loop over `pages()` again.
   * @throws PlatenError if the scanner refuses; the scan stays as it was
   */
  continue(options?: CallOptions): Promise<void>;
}

/** A scan as the service describes it. */
export interface WireScan extends ScanFacts {
  readonly code?: PlatenErrorCode;
}

/** The part of it that an event of its end has. */
type WireState = Pick<WireScan, 'state' | 'code' | 'error' | 'notes' | 'pageCount' | 'pagesInMemory'>;

/** @param given its signal cancels the scan */
export function keptScan(service: Service, first: WireScan, given?: AbortSignal): Scan {
  const path = scanPath(first.id);
  let facts = first;
  let signal: AbortSignal | undefined;
  /** Pages that arrived, and the highest number: an auto-scan's may begin above 1. */
  let arrived = 0;
  let highest = 0;

  const call = (way: 'cancel' | 'continue', options: Ask): Promise<WireScan> =>
    service.json<WireScan>(`${path}/${way}`, { method: 'POST', ...options });
  const cancel = async (options: Ask = {}): Promise<void> => {
    heard(await createLink().hold(() => call('cancel', options), options.signal));
  };
  /** A loop may have read a later state than this answer has. */
  const heard = (now: WireScan): void => {
    if (facts.state === 'running' || now.state !== 'running') facts = now;
  };
  /** Its documents are written by code that few pages load. */
  const writer = async () =>
    (await import('./scanDocument.js')).documentsOf(service, first.id, () => facts.state, heard);
  /** The scan goes on if this fails: its pages are kept. */
  const onAbort = (): void => leave(service, cancel({ consent: false }));
  const heed = (next: AbortSignal | undefined): void => {
    signal?.removeEventListener('abort', onAbort);
    signal = next;
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
  };

  const source: PageSource = {
    async *follow(after, left, { onProgress, onConnection }) {
      let last = after > 0 ? String(after) : undefined;
      const options = { signal: left, last: () => last, onConnection };
      for await (const { event, data } of serviceEvents(service, `${path}/events`, options)) {
        if (event === 'page') {
          const page = parsed<WirePage>(data);
          last = String(page.number);
          if (page.number > highest) arrived++;
          highest = Math.max(highest, page.number);
          facts = { ...facts, pageCount: Math.max(facts.pageCount, arrived) };
          yield scanPageOf(service, page);
        }
        if (event === 'progress') {
          facts = { ...facts, progress: parsed<WireScan['progress']>(data) };
          onProgress?.(facts.progress);
        }
        if (event !== 'state') continue;
        const { code: _code, error: _error, pagesInMemory: _pagesInMemory, ...rest } = facts;
        facts = { ...rest, ...parsed<WireState>(data) };
        if (facts.state === 'running') continue;
        signal?.removeEventListener('abort', onAbort);
        return;
      }
    },
    failure() {
      const code = facts.state === 'completed' ? undefined : (facts.code ?? 'internal');
      const message = facts.error ?? `The scan is ${facts.state}.`;
      if (signal?.aborted && code === undefined)
        return cancelled(signal, 'The scan was cancelled after its last page.');
      if (signal?.aborted && code === 'cancelled') return cancelled(signal, message);
      return code && { code, message };
    },
  };
  heed(given);

  const { id, kind, scannerName, createdAt, requestId } = first;
  return {
    id,
    kind,
    scannerName,
    createdAt,
    ...(requestId === undefined ? {} : { requestId }),
    get state() {
      return facts.state;
    },
    get code() {
      return facts.code;
    },
    get error() {
      return facts.error;
    },
    get notes() {
      return facts.notes;
    },
    get pageCount() {
      return facts.pageCount;
    },
    get pagesInMemory() {
      return facts.pagesInMemory ?? 0;
    },
    get progress() {
      return facts.progress;
    },
    pages: createPageLoop(source),
    document: async (...wanted) => (await writer()).document(...wanted),
    documents: async how => (await writer()).documents(how),
    cancel,
    async done(options = {}) {
      const discard = (): Promise<unknown> => service.json(path, { method: 'DELETE', keepalive: true, ...options });
      await createLink()
        .hold(discard, options.signal)
        .catch((error: unknown) => {
          // Its answer was lost, or it was let go before.
          if (codeIn(error) !== 'scan-not-found') throw error;
        });
    },
    async continue({ signal: next } = {}) {
      if (next?.aborted) throw cancelled(next);
      let before: WireScan | undefined;
      facts = await createLink().hold(async () => {
        const now = await service.json<WireScan>(path, { consent: next });
        // The answer was lost after the scanner went on: it must not go on twice.
        if (before && (now.state !== before.state || now.pageCount !== before.pageCount)) return now;
        before = now;
        return call('continue', { consent: next });
      });
      heed(next ?? (signal?.aborted ? undefined : signal));
    },
  };
}

const codeIn = (error: unknown): PlatenErrorCode | undefined => (error instanceof PlatenError ? error.code : undefined);

function parsed<T>(data: string): T {
  try {
    return JSON.parse(data) as T;
  } catch (cause) {
    throw new PlatenError('unexpected-answer', 'An event of the scan is not valid JSON.', { cause });
  }
}
