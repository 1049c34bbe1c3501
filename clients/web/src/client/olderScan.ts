/** A scan on a service that is older than scans as resources: one call of the interface, with all pages at its end. */
import { cancel } from './cancel.js';
import { PlatenError, type PlatenErrorCode } from './errors.js';
import type { Scan } from './keptScan.js';
import { createPageLoop, type PageSource } from './pageLoop.js';
import { scan } from './scan.js';
import type { PictureOptions, ScanPage } from './scanPage.js';
import { cancelled, type Service } from './service.js';
import { sha256Of } from './sha256.js';
import type { Note, ScannedPage, ScanParameters, ScanState } from './shapes.js';

export interface OlderScan {
  readonly scannerName: string;
  readonly parameters: ScanParameters;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The same loop, with these differences: the pages come when the scan is over, they are in this page's memory, they are
 * lost with it, and a thumbnail is the whole page.
 */
export function olderScan(service: Service, { scannerName, parameters, requestId, signal }: OlderScan): Scan {
  const pages: ScanPage[] = [];
  const createdAt = new Date().toISOString();
  let state: ScanState = 'running';
  let failed: { readonly code: PlatenErrorCode; readonly message: string; readonly cause?: unknown } | undefined;
  let notes: readonly Note[] = [];

  const add = async (found: readonly ScannedPage[]): Promise<void> => {
    const [before] = pages.slice(-1);
    for (const page of found) pages.push(await pageFrom(page, parameters, before));
  };
  const run = async (stop: AbortSignal | undefined): Promise<void> => {
    try {
      const result = await scan(service, scannerName, parameters, { requestId, signal: stop });
      await add(result.pages);
      [state, failed, notes] = ['completed', undefined, result.notes ?? []];
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      await add(error.pages);
      [state, failed] = [error.code === 'cancelled' ? 'cancelled' : 'failed', error];
    }
  };
  const start = (stop: AbortSignal | undefined): Promise<void> => {
    const its = run(stop);
    // A loop reports it.
    its.catch(() => undefined);
    return its;
  };
  let running = start(signal);

  const source: PageSource = {
    async *follow(after, left) {
      const leaving = new Promise<void>(resolve => left.addEventListener('abort', () => resolve(), { once: true }));
      await Promise.race([running, leaving]);
      if (!left.aborted) yield* pages.filter(({ number }) => number > after);
    },
    failure: () => failed,
  };

  const noDocuments = async (): Promise<never> => {
    throw tooOld('write documents');
  };

  return {
    id: requestId,
    requestId,
    kind: 'scan',
    scannerName,
    createdAt,
    get state() {
      return state;
    },
    get code() {
      return failed?.code;
    },
    get error() {
      return failed?.message;
    },
    get notes() {
      return notes;
    },
    get pageCount() {
      return pages.length;
    },
    pagesInMemory: 0,
    get progress() {
      return { scanned: pages.length, finished: pages.length };
    },
    pages: createPageLoop(source),
    document: noDocuments,
    documents: noDocuments,
    done: async () => undefined,
    cancel: async options => void (await cancel(service, requestId, options)),
    async continue({ signal: next } = {}) {
      if (next?.aborted) throw cancelled(next);
      if (state === 'running') throw new PlatenError('busy', 'The scan is running.');
      state = 'running';
      running = start(next ?? (signal?.aborted ? undefined : signal));
    },
  };
}

const tooOld = (what: string): PlatenError =>
  new PlatenError('wrong-version', `The scanning service is too old to ${what}. Update it.`);

/** The interface does not say which side of which sheet a page is: this counts. */
async function pageFrom(
  { blob, pageNumber, fileSizeBytes, report = [], ...facts }: ScannedPage,
  { duplexMode = 'Simplex' }: ScanParameters,
  before: ScanPage | undefined,
): Promise<ScanPage> {
  const sides = duplexMode === 'Simplex' ? 1 : 2;
  const whole = async ({ rotate = 0 }: PictureOptions = {}): Promise<Blob> => {
    if (rotate !== 0) throw tooOld('turn pages');
    return blob;
  };
  return {
    ...facts,
    number: (before?.number ?? 0) + pageNumber,
    sheet: (before?.sheet ?? 0) + Math.ceil(pageNumber / sides),
    side: sides === 2 && pageNumber % 2 === 0 ? 'back' : 'front',
    bytes: fileSizeBytes,
    sha256: (await sha256Of(await blob.arrayBuffer())) ?? '',
    report,
    url: '',
    blob: whole,
    thumbnail: (_width, options) => whole(options),
  };
}
