/** One eSCL scan job: created, read document by document, and deleted. */
import { assertPixels, delay } from '@platen/core/driver';
import { ScanError, type EncodedPage } from '@platen/core/plugin';
import { paperAt } from '../protocol/adfStates.js';
import { EsclError, short } from '../http/esclError.js';
import { retryAfter, type EsclClient } from '../http/esclClient.js';
import { conflictOnFlatbed, feederFault, jobStatuses, meaningOf, pageStatuses } from '../http/httpStatuses.js';
import type { Deadlines } from '../options.js';
import { pageOf, sizeIn } from './page.js';
import { asGrey, type Prepared } from './prepare.js';
import type { Quirks } from '../protocol/quirkTable.js';
import type { BodyLimit } from '../http/responseBody.js';
import type { ScannerCapabilities } from '../protocol/scannerCapabilities.js';
import { pathOf, type ScannerStatus } from '../protocol/scannerStatus.js';
import { writeScanSettings, type ScanSettings } from '../protocol/scanSettings.js';

export interface JobParts {
  readonly client: EsclClient;
  /** Of the scanner, for messages. */
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

export type Document = Omit<EncodedPage, 'sheet' | 'side'>;

export interface ScanJob {
  /** The next side; undefined when there are no more. */
  next(): Promise<Document | undefined>;
  /** Documents that the device has scanned and not sent yet; 0 if it does not report them. */
  imagesToTransfer(): Promise<number>;
  /** Deletes the job; resolves even if the device does not answer. */
  end(): Promise<void>;
}

/** A created job: its path, and the settings that the device accepted. */
export interface CreatedJob {
  readonly path: string;
  readonly settings: ScanSettings;
  readonly adjusted: Prepared['adjusted'];
}

/** No image of a scanner takes more bytes, once its header has stated an acceptable size. */
const MAX_BYTES_PER_PIXEL = 4;
/** The limit of a document is never below this, in bytes. */
const MIN_LIMIT = 1024 * 1024;

/** A busy device is asked again until `deadlines.busy`. @returns undefined where `stop` was aborted first */
export async function createJob(
  { client, name, capabilities, quirks, deadlines, stop, ended }: JobParts,
  first: Prepared,
): Promise<CreatedJob | undefined> {
  const giveUp = performance.now() + deadlines.busy;
  for (let prepared = first; ;) {
    if (stop.aborted) return undefined;
    const answer = await client.createJob(writeScanSettings(prepared.settings), ended);
    if ('job' in answer) return { path: answer.job, settings: prepared.settings, adjusted: prepared.adjusted };
    const grey = answer.status === 409 ? asGrey(prepared, capabilities) : undefined;
    const wait = answer.retryAfter ?? deadlines.again;
    if (grey) prepared = grey;
    else if (answer.status === 503 && performance.now() + wait < giveUp) await delay(wait, ended);
    else
      throw refusal(answer.status, prepared.settings, await client.status(ended).catch(() => undefined), name, quirks);
    ended.throwIfAborted();
  }
}

/** Devices refuse with various HTTP statuses when their feeder cannot scan: AdfState has the reason. */
function refusal(
  httpStatus: number,
  { source }: ScanSettings,
  status: ScannerStatus | undefined,
  name: string,
  quirks: Quirks,
): ScanError {
  if (source === 'Feeder' && paperAt(status?.adf ?? '', quirks) === 'empty')
    return new ScanError('no-paper', `"${name}" has no paper in its feeder.`);
  // A device that scans for another client answers 409 or 500.
  if (status?.state === 'Processing' && [409, 500].includes(httpStatus))
    return new ScanError('busy', `"${name}" is scanning for another client (HTTP ${httpStatus}).`);
  const fault = source === 'Feeder' ? feederFault(status?.adf ?? '', name) : undefined;
  if (fault) return fault;
  const { code, text } = meaningOf(jobStatuses, httpStatus);
  return new ScanError(code, `"${name}" ${text} (HTTP ${httpStatus}).`);
}

/**
 * Creates a job, which may move paper.
 * @returns undefined where `stop` was aborted before the device accepted the job
 * @throws ScanError that says why the device refused
 */
export async function startJob(parts: JobParts, prepared: Prepared): Promise<ScanJob | undefined> {
  const { client, name, quirks, deadlines, maxPixels, ended } = parts;
  const created = await createJob(parts, prepared);
  if (!created) return undefined;
  const { path, settings, adjusted } = created;
  const maxBytes = Math.max(MIN_LIMIT, maxPixels * MAX_BYTES_PER_PIXEL);
  const isFeeder = settings.source === 'Feeder';
  let received = 0;
  let isOver = false;

  /** Undefined if the device does not answer: it may still have a page. */
  async function currentStatus(): Promise<ScannerStatus | undefined> {
    const status = await client.status(ended).catch(() => undefined);
    ended.throwIfAborted();
    return status;
  }

  const jobIn = (status: ScannerStatus | undefined) => status?.jobs.find(each => each.path === pathOf(path));

  const limitBody: BodyLimit = (start, isLast) => {
    const size = sizeIn(start, isLast);
    if (size === 'later') return maxBytes;
    if (!size) return undefined;
    assertPixels(size.width, size.height, maxPixels);
    return Math.max(MIN_LIMIT, size.width * size.height * MAX_BYTES_PER_PIXEL);
  };

  /** Throws the failure that the device reports, whatever it answered to the request for a document. */
  function throwIfFailed(status: ScannerStatus | undefined, httpStatus: number): void {
    const fault = isFeeder ? feederFault(status?.adf ?? '', name) : undefined;
    if (fault) throw fault;
    const { state, reasons = [] } = jobIn(status) ?? {};
    if (state === 'Canceled' || (state === 'Aborted' && reasons.includes('JobCanceledByUser')))
      throw new ScanError('cancelled', `The scan was cancelled on "${name}".`);
    if (state !== 'Aborted') return;
    const isNotReady = reasons.includes('ResourcesAreNotReady');
    // AirSane answers so for a scanner that another program uses, older ones without paper too. After a page, sheets are
    // missing.
    const isBusy = httpStatus === 503 && isNotReady;
    if (isBusy && received === 0)
      throw new ScanError(
        'busy',
        `"${name}" aborted the scan: another program uses it, or it has no paper. Insert paper, and try again when it is idle.`,
      );
    // AirSane aborts a job that finds no paper; a device without a sensor gives the reason only.
    const lacksPaper = isEmpty(status) || (isFeeder && status?.adf === '' && isNotReady);
    if (received === 0 && lacksPaper) return;
    const details = short([...(httpStatus === 200 ? [] : [`HTTP ${httpStatus}`]), ...reasons].join(', '));
    const why = isBusy ? 'became busy and aborted the scan' : 'aborted the scan';
    throw new ScanError('driver-failed', `"${name}" ${why}${details && ` (${details})`}. Check its display.`);
  }

  function isEmpty(status: ScannerStatus | undefined): boolean {
    return isFeeder && status !== undefined && paperAt(status.adf, quirks) === 'empty';
  }

  /** A truncated page: after a jam the device's status says so; a device that does not answer is offline. */
  async function explainTruncated(error: unknown): Promise<never> {
    if (!(error instanceof EsclError) || error.kind !== 'truncated') throw error;
    const status = await currentStatus();
    if (!status) throw error;
    throwIfFailed(status, 200);
    throw new ScanError('driver-failed', `"${name}" sent an incomplete page: ${error.message}. Scan this page again.`, {
      cause: error,
    });
  }

  /** Whether a page may still come: some devices say too early that there is none. */
  function isEarly(httpStatus: number, status: ScannerStatus | undefined, waited: number): boolean {
    const state = jobIn(status)?.state;
    if (waited >= quirks.earlyEndMs || (state !== undefined && state !== 'Processing' && state !== 'Pending'))
      return false;
    if (quirks.notReady.includes(httpStatus)) return true;
    const promisesMore =
      status?.adf === 'ScannerAdfLoaded' || (status?.adf === 'ScannerAdfProcessing' && !isEmpty(status));
    return httpStatus === 404 && (quirks.earlyEnd === 'always' || promisesMore);
  }

  const readPage = async (bytes: Uint8Array): Promise<Document> => ({
    ...pageOf(bytes, settings),
    ...(adjusted.length > 0 && { adjusted }),
  });

  return {
    async next() {
      const began = performance.now();
      for (;;) {
        const answer = await client.nextDocument(path, maxBytes, limitBody, ended).catch(explainTruncated);
        if (answer.status === 200) {
          const page = await readPage(answer.body).catch(explainTruncated);
          received++;
          return page;
        }
        const waited = performance.now() - began;
        const status = await currentStatus();
        throwIfFailed(status, answer.status);
        const early = isEarly(answer.status, status, waited);
        if (answer.status !== 503 && !early) {
          // AirSane answers 409 at the end of the stack too; its sensor reports an empty feeder.
          if (answer.status === 404 || (answer.status > 400 && isEmpty(status))) {
            isOver = true;
            return undefined;
          }
          const { code, text } =
            answer.status === 409 && !isFeeder ? conflictOnFlatbed : meaningOf(pageStatuses, answer.status);
          throw new ScanError(code, `"${name}" ${text} (HTTP ${answer.status}).`);
        }
        const usual = early ? Math.min(deadlines.again, quirks.earlyEndMs / 4) : deadlines.again;
        const wait = Math.min(retryAfter(answer.headers) ?? usual, Math.max(0, deadlines.silence - waited));
        if (wait === 0)
          throw new ScanError('timeout', `"${name}" has not been ready for ${Math.round(waited / 1000)} s.`);
        await delay(wait, ended);
      }
    },
    imagesToTransfer: async () => jobIn(await currentStatus())?.imagesToTransfer ?? 0,
    end: async () => {
      if (!isOver || !quirks.keepsJobs) await client.deleteJob(path);
    },
  };
}
