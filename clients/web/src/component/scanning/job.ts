/** The running job: one scan, a preview, or auto-scan. Pages arrive as they are finished, also those of a scan that fails. */
import type { Scan } from '../../client/scans/keptScan.js';
import type { ScannedPage, ScanParameters, StartParameters } from '../../client/shapes.js';
import { createRunningJob, type Activity, type ActivityParts } from './activity.js';
import { follow, textOf, whileAway, type ScanEnd, type ScanSink } from './followScan.js';
import type { Sheet } from '../pages/page.js';

/** Begins the `requestId` of a component's scan: applications may keep scans of their own. */
const OWN = 'platen-scan.';
/** Of a preview: a tab that is closed during one leaves a scan that nobody wants. */
const PREVIEW = 'platen-preview.';
export const isOfComponent = ({ requestId }: Scan): boolean => requestId?.startsWith(OWN) ?? false;
export const isPreview = ({ requestId }: Scan): boolean => requestId?.startsWith(PREVIEW) ?? false;

/** What a scan did while this component followed it. */
export interface Followed {
  readonly scan: Scan;
  readonly end: ScanEnd;
  /** Pages that arrived. */
  readonly count: number;
  /** Undefined if this component did not see it begin. */
  readonly tookMs: number | undefined;
}

export interface JobParts extends ActivityParts {
  /** A scan began; its pages will come. */
  onScan(scan: Scan): void;
  onEnd(followed: Followed): void;
  /** It could not scan on. */
  onRefused(scan: Scan, error: unknown): void;
}

/** Takes the sheets as they arrive. @param isFirst of this job */
export type Take = (sheets: readonly Sheet[], isFirst: boolean) => void;

export interface Job {
  /** Undefined: no job is running. */
  readonly activity: Activity | undefined;
  scan(scanner: string, parameters: StartParameters, take: Take): Promise<void>;
  /** Scans on into a scan that ended. */
  continue(scan: Scan, take: Take): Promise<void>;
  /** Follows a scan that runs already, or shows all pages of one that ended. */
  follow(scan: Scan, take: Take): Promise<void>;
  /** Until it is turned off, here or elsewhere. */
  autoScan(scanner: string, parameters: ScanParameters, take: Take): Promise<void>;
  /** @returns the only page, which the service does not keep; undefined if there is none */
  preview(scanner: string, parameters: ScanParameters): Promise<ScannedPage | undefined>;
  /** Ends the running job. */
  end(): void;
}

/** `crypto.randomUUID` is missing in a page that is not secure. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), each => each.toString(36)).join('');

export function createJob(parts: JobParts): Job {
  const { context, notices, onScan, onEnd, onRefused, onConnection, onFailure } = parts;
  const running = createRunningJob({ context, notices, onConnection, onFailure });
  const { become, connected } = running;

  /** @param began when the scan did, as `performance.now` counts; undefined if this component did not see it */
  async function watch(scan: Scan, take: Take, signal: AbortSignal, began?: number): Promise<Followed> {
    let count = 0;
    const cancel = (): void => void scan.cancel().catch((error: unknown) => void notices.fail(error));
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    try {
      const sink: ScanSink = {
        onSheets(sheets) {
          connected(true);
          take(sheets, count === 0);
          count += sheets.length;
          const { pageCount } = scan;
          become({ count: pageCount, scanned: Math.max(pageCount, scan.progress.scanned) });
          const { words } = context;
          const isAuto = scan.kind === 'autoscan';
          context.announce(
            isAuto ? words('auto.scanned', { page: pageCount }) : words('job.finished', { count: pageCount }),
          );
        },
        onProgress({ finished, scanned }) {
          connected(true);
          if (finished > 0 || scanned > 0) become({ count: finished, scanned: Math.max(finished, scanned) });
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
    get activity() {
      return running.activity;
    },

    async scan(scanner, parameters, take) {
      let followed: Followed | undefined;
      await running.run({ kind: 'scan', scanner }, async signal => {
        const began = performance.now();
        const scan = await context.client.startScan(scanner, parameters, {
          requestId: `${OWN}${newId()}`,
          consent: signal,
        });
        onScan(scan);
        followed = await watch(scan, take, signal, began);
      });
      if (followed) onEnd(followed);
    },

    async continue(scan, take) {
      let followed: Followed | undefined;
      const { scannerName: scanner, pageCount: before } = scan;
      await running.run({ kind: 'scan', scanner, before }, async signal => {
        const began = performance.now();
        try {
          await scan.continue();
        } catch (error) {
          return onRefused(scan, error);
        }
        followed = await watch(scan, take, signal, began);
      });
      if (followed) onEnd(followed);
    },

    async follow(scan, take) {
      let followed: Followed | undefined;
      const kind = scan.kind === 'autoscan' ? 'auto' : 'scan';
      await running.run({ kind, scanner: scan.scannerName }, async signal => {
        followed = await watch(scan, take, signal);
      });
      if (followed) onEnd(followed);
    },

    async autoScan(scanner, parameters, take) {
      let followed: Followed | undefined;
      await running.run({ kind: 'auto', scanner }, async signal => {
        const requestId = `${OWN}${newId()}`;
        const { scan, notes } = await context.client.startAutoScan(scanner, parameters, { requestId, consent: signal });
        onScan(scan);
        const title = context.words('auto.on', { scanner });
        if (notes.length > 0) notices.show('note', { title, detail: textOf(notes) });
        else context.announce(title);
        followed = await watch(scan, take, signal);
      });
      if (followed) onEnd(followed);
    },

    async preview(scanner, parameters) {
      let page: ScannedPage | undefined;
      await running.run({ kind: 'preview', scanner }, async signal => {
        const requestId = `${PREVIEW}${newId()}`;
        const { pages } = await context.client.scan(scanner, parameters, { signal, requestId });
        [page] = pages;
      });
      return page;
    },

    end: running.end,
  };
}
