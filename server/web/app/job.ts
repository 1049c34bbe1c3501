/** The running job: one scan, a preview, or auto-scan. Pages go to the list as they arrive, also those of a scan that fails. */
import { PlatenError, type Scan, type ScannedPage, type ScanParameters } from '../client.js';
import { beginActivity, type Activity, type ActivityKind } from './activity.js';
import { announce } from './announcer.js';
import { textOf } from './ending.js';
import { follow, type ScanEnd, type ScanSink } from './following.js';
import { showHealth } from './health.js';
import { clear, show, showFailure } from './notices.js';
import { pageHere, type Page } from './page.js';
import type { Service } from './service.js';
import { countOf } from './words.js';

/** Begins the `requestId` of a preview: a tab that is closed during one leaves a scan that nobody wants. */
const PREVIEW = 'preview-';
export const isPreview = ({ requestId }: Scan): boolean => requestId?.startsWith(PREVIEW) ?? false;

/** What a scan did while this page followed it. */
export interface Followed {
  readonly scan: Scan;
  readonly end: ScanEnd;
  /** Pages that arrived. */
  readonly count: number;
  /** Undefined if this page did not see it begin. */
  readonly tookMs: number | undefined;
}

export interface JobParts {
  readonly service: Service;
  /** @param isFirst of this job */
  onPages(pages: readonly Page[], scan: Scan, isFirst: boolean): void;
  onAutoPage(page: Page, scanner: string): void;
  /** A scan began; its pages will come. */
  onScan(scan: Scan): void;
  onEnd(followed: Followed): void;
  /** It could not scan on. */
  onRefused(scan: Scan, error: unknown): void;
  /** Undefined: no job is running. */
  onState(kind: ActivityKind | undefined): void;
}

export interface JobOptions {
  readonly scanner: string;
  readonly parameters: ScanParameters;
  readonly takesInsertions: boolean;
}

export interface Job {
  scan(options: JobOptions): Promise<void>;
  /** Scans on into a scan that ended. */
  continue(scan: Scan): Promise<void>;
  /** Follows a scan that runs already, or shows all pages of one that ended. */
  follow(scan: Scan): Promise<void>;
  autoScan(options: JobOptions): Promise<void>;
  /** @returns the only page, which the service does not keep; undefined if there is none */
  preview(options: JobOptions): Promise<ScannedPage | undefined>;
  /** Ends the running job. */
  end(): void;
}

interface Began {
  readonly kind: ActivityKind;
  readonly scanner: string;
  readonly takesInsertions: boolean;
  readonly before?: number;
}

export function createJob({ service, onPages, onAutoPage, onScan, onEnd, onRefused, onState }: JobParts): Job {
  let running: AbortController | undefined;
  const findings = async () => (await service.diagnose()).findings;

  /** One at a time. */
  async function only(began: Began, work: (activity: Activity, signal: AbortSignal) => Promise<void>): Promise<void> {
    if (running) return;
    const own = (running = new AbortController());
    clear();
    onState(began.kind);
    const activity = beginActivity({ ...began, onEnd: () => own.abort() });
    own.signal.addEventListener('abort', activity.ending);
    try {
      await work(activity, own.signal);
    } catch (error) {
      await showFailure(error, findings);
    } finally {
      activity.end();
      running = undefined;
      onState(undefined);
    }
  }

  const onConnection =
    (activity: Activity) =>
    (is: boolean): void => {
      activity.connected(is);
      void showHealth(service);
      announce(is ? 'Connected again' : 'Reconnecting to the scanning service');
    };

  /** @param began when the scan did, as `performance.now` counts; undefined if this page did not see it */
  async function watch(scan: Scan, activity: Activity, signal: AbortSignal, began?: number): Promise<Followed> {
    let count = 0;
    let isConnected = true;
    const connected = (is: boolean): void => {
      if (is !== isConnected) onConnection(activity)(is);
      isConnected = is;
    };
    const cancel = (): void => void scan.cancel().catch(showFailure);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    try {
      const sink: ScanSink = {
        onPages(pages) {
          connected(true);
          onPages(pages, scan, count === 0);
          count += pages.length;
          activity.pages(scan.pageCount);
          announce(`${countOf(scan.pageCount, 'page')} finished`);
        },
        onProgress({ finished, scanned }) {
          connected(true);
          if (finished > 0) activity.pages(finished, scanned);
        },
        onConnection: connected,
      };
      const end = await whileAway(signal, () => follow(scan, sink));
      return { scan, end, count, tookMs: began === undefined ? undefined : performance.now() - began };
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  return {
    scan: async options => {
      let followed: Followed | undefined;
      await only({ kind: 'scan', ...options }, async (activity, signal) => {
        const began = performance.now();
        const scan = await service.startScan(options.scanner, options.parameters);
        onScan(scan);
        followed = await watch(scan, activity, signal, began);
      });
      if (followed) onEnd(followed);
    },

    continue: async scan => {
      let followed: Followed | undefined;
      const { scannerName: scanner, pageCount: before } = scan;
      await only({ kind: 'scan', scanner, takesInsertions: false, before }, async (activity, signal) => {
        const began = performance.now();
        try {
          await scan.continue();
        } catch (error) {
          return onRefused(scan, error);
        }
        followed = await watch(scan, activity, signal, began);
      });
      if (followed) onEnd(followed);
    },

    follow: async scan => {
      let followed: Followed | undefined;
      await only({ kind: 'scan', scanner: scan.scannerName, takesInsertions: false }, async (activity, signal) => {
        followed = await watch(scan, activity, signal);
      });
      if (followed) onEnd(followed);
    },

    autoScan: options =>
      only({ kind: 'auto', ...options }, async (activity, signal) => {
        let count = 0;
        const { scanner, parameters } = options;
        const loop = service.autoScan(scanner, parameters, { signal, onConnection: onConnection(activity) });
        void Promise.all([loop.message, loop.notes]).then(([message, notes]) => {
          if (message === undefined) return;
          const title = `Auto-scan is on: ${scanner} scans every document that you insert.`;
          const text = textOf(notes);
          if (text !== undefined) show('note', { title, text });
          else announce(title);
        });
        const take = (page: ScannedPage): void => {
          activity.pages(++count);
          onAutoPage(pageHere(page), scanner);
          announce(`Page ${count} was scanned`);
        };
        try {
          for await (const page of loop) take(page);
        } catch (error) {
          if (error instanceof PlatenError) error.pages.forEach(take);
          throw error;
        }
        show('note', {
          title: 'Auto-scan is off',
          text: `${countOf(count, 'page')} scanned. ${loop.end?.reason === 'disabled' ? loop.end.message : ''}`.trim(),
        });
      }),

    preview: async options => {
      let page: ScannedPage | undefined;
      const { scanner, parameters } = options;
      await only({ kind: 'preview', ...options }, async (_, signal) => {
        const requestId = `${PREVIEW}${crypto.randomUUID()}`;
        const { pages } = await service.scan(scanner, parameters, { signal, requestId });
        [page] = pages;
      });
      return page;
    },

    end: () => running?.abort(),
  };
}

/** The service keeps the scan, however long it is away: tries again until it answers, or the user cancels. */
async function whileAway<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatenError) || error.code !== 'no-answer') throw error;
    }
  }
}
