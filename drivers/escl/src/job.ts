/** One scan job at a device: begun, asked for its pages one by one, and ended. */
import { delay, ScanError, type EncodedPage } from '@platen/core/plugin';
import { paperAt } from './adfStates.js';
import type { BodyLimit } from './responseBody.js';
import { EsclFault, short } from './esclFault.js';
import { startJob } from './jobStart.js';
import type { ScannerCapabilities } from './scannerCapabilities.js';
import { pageOf, sizeIn } from './page.js';
import { refuseTooLarge, type Prepared } from './prepare.js';
import type { Quirks } from './quirks.js';
import { pathOf, type ScannerStatus } from './scannerStatus.js';
import type { Deadlines } from './settings.js';
import { feederFault, meaningOf, pageStatuses, platenConflict } from './statuses.js';
import { retryAfter, type EsclClient } from './esclClient.js';

export interface JobParts {
  readonly client: EsclClient;
  readonly name: string;
  readonly capabilities: ScannerCapabilities;
  readonly quirks: Quirks;
  readonly deadlines: Deadlines;
  readonly maxPixels: number;
  /** Feed nothing more. */
  readonly stop: AbortSignal;
  /** Ends every wait, with its reason. */
  readonly ended: AbortSignal;
}

export type Sent = Omit<EncodedPage, 'sheet' | 'side'>;

export interface Job {
  /** The next side; undefined when there are no more. */
  next(): Promise<Sent | undefined>;
  /** Pages that the device has scanned and not handed over yet, as far as it says. */
  waiting(): Promise<number>;
  /** Comes back when the device knows, or does not answer. */
  end(): Promise<void>;
}

/** No scanner's image has more bytes than this for a pixel, once its header was found small enough. */
const MOST_BYTES_PER_PIXEL = 4;
const LEAST_MOST = 1024 * 1024;

/** Moves paper. Undefined: `stop` came before the device took the order. @throws what says why the device does not take the order */
export async function beginJob(parts: JobParts, prepared: Prepared): Promise<Job | undefined> {
  const { client, name, quirks, deadlines, maxPixels, ended } = parts;
  const started = await startJob(parts, prepared);
  if (!started) return undefined;
  const { path, settings } = started;
  const most = Math.max(LEAST_MOST, maxPixels * MOST_BYTES_PER_PIXEL);

  /** What the device says of itself now; one that does not say may still have a page. */
  async function look(): Promise<ScannerStatus | undefined> {
    const status = await client.status(ended).catch(() => undefined);
    ended.throwIfAborted();
    return status;
  }

  const own = (status: ScannerStatus | undefined) => status?.jobs.find(each => each.path === pathOf(path));

  const limitBody: BodyLimit = (start, isLast) => {
    const size = sizeIn(start, isLast);
    if (size === 'later') return most;
    if (!size) return undefined;
    refuseTooLarge(size.width, size.height, maxPixels);
    return Math.max(LEAST_MOST, size.width * size.height * MOST_BYTES_PER_PIXEL);
  };

  const isFeeder = settings.source === 'Feeder';
  let came = 0;
  let isOver = false;

  /** Throws what the device says went wrong, whatever it answered to the question for a page. */
  function refuse(status: ScannerStatus | undefined, httpStatus: number): void {
    const fault = isFeeder ? feederFault(status?.adf ?? '', name) : undefined;
    if (fault) throw fault;
    const { state, reasons = [] } = own(status) ?? {};
    if (state === 'Canceled' || (state === 'Aborted' && reasons.includes('JobCanceledByUser'))) throw new ScanError('cancelled', `"${name}" cancelled the scan itself.`);
    // AirSane aborts a job that finds no paper. A device without a sensor says no more than the reason.
    const lacksPaper = reasons.includes('ResourcesAreNotReady');
    const isOutOfPaper = isEmpty(status) ? came === 0 || lacksPaper : isFeeder && status?.adf === '' && came === 0 && lacksPaper;
    if (state === 'Aborted' && !isOutOfPaper) throw new ScanError('driver-failed', `"${name}" aborted the scan (${short([`HTTP ${httpStatus}`, ...reasons].join(', '))}): see what its display says.`);
  }

  function isEmpty(status: ScannerStatus | undefined): boolean {
    return isFeeder && status !== undefined && paperAt(status.adf, quirks) === 'empty';
  }

  /** A page that ends early: a jam tears it, and the device says so; one that says nothing at all is away. */
  async function explainTorn(error: unknown): Promise<never> {
    if (!(error instanceof EsclFault) || error.kind !== 'torn') throw error;
    const status = await look();
    if (!status) throw error;
    refuse(status, 200);
    throw new ScanError('driver-failed', `"${name}" broke off in the middle of a page: ${error.message}. Scan this page again.`, { cause: error });
  }

  /** Whether a page may come after all: some devices say too early that there is none. */
  function isEarly(httpStatus: number, status: ScannerStatus | undefined, waited: number): boolean {
    const state = own(status)?.state;
    if (waited >= quirks.earlyEndMs || (state !== undefined && state !== 'Processing' && state !== 'Pending')) return false;
    if (quirks.notReady.includes(httpStatus)) return true;
    const promisesMore = status?.adf === 'ScannerAdfLoaded' || (status?.adf === 'ScannerAdfProcessing' && !isEmpty(status));
    return httpStatus === 404 && (quirks.earlyEnd === 'always' || promisesMore);
  }

  const pageFrom = async (bytes: Uint8Array): Promise<Sent> => pageOf(bytes, settings);

  return {
    async next() {
      const began = performance.now();
      for (;;) {
        const answer = await client.nextDocument(path, most, limitBody, ended).catch(explainTorn);
        if (answer.status === 200) {
          const page = await pageFrom(answer.body).catch(explainTorn);
          came++;
          return page;
        }
        const waited = performance.now() - began;
        const status = await look();
        refuse(status, answer.status);
        const early = isEarly(answer.status, status, waited);
        if (answer.status !== 503 && !early) {
          // AirSane: 409 is the end of the stack too, and its sensor says so.
          if (answer.status === 404 || (answer.status > 400 && isEmpty(status))) {
            isOver = true;
            return undefined;
          }
          const { code, words } = answer.status === 409 && !isFeeder ? platenConflict : meaningOf(pageStatuses, answer.status);
          throw new ScanError(code, `"${name}" ${words} (HTTP ${answer.status}).`);
        }
        const usual = early ? Math.min(deadlines.again, quirks.earlyEndMs / 4) : deadlines.again;
        const wait = Math.min(retryAfter(answer.headers) ?? usual, Math.max(0, deadlines.silence - waited));
        if (wait === 0) throw new ScanError('timeout', `"${name}" has been saying for ${Math.round(waited / 1000)} s that it is not ready.`);
        await delay(wait, ended);
      }
    },
    waiting: async () => own(await look())?.waiting ?? 0,
    end: async () => {
      if (!isOver || !quirks.keepsJobs) await client.deleteJob(path);
    },
  };
}
