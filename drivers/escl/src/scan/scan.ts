/** One scan: the pages of a scan job in physical order. A document is requested for each side that is pulled. */
import { ScanError, type EncodedPage, type PageFacts, type Source } from '@platen/core/plugin';
import type { Prepared } from './prepare.js';
import { startJob, type JobParts, type ScanJob } from './scanJob.js';

export interface ScanParts extends JobParts {
  readonly source: Source;
  readonly prepared: Prepared;
  /** The most sheets to feed. */
  readonly sheets: number;
  /** Whether the device feeds sheets before their documents are requested. */
  readonly isContinuous: boolean;
  /** A scan of more pages ends with an error. */
  readonly mostPages: number;
  /** The feeder has no more. */
  onEmpty(): void;
}

export async function* scan(parts: ScanParts): AsyncGenerator<EncodedPage, void, undefined> {
  const job = await startJob(parts, parts.prepared);
  if (!job) return;
  try {
    yield* pages(job, parts);
  } finally {
    // A finished job is deleted too: some devices stay busy until then.
    await job.end();
  }
}

async function* pages(
  job: ScanJob,
  { name, source, sheets, prepared, isContinuous, mostPages, stop, ended, onEmpty }: ScanParts,
): AsyncGenerator<EncodedPage, void, undefined> {
  const { sides } = prepared;
  const maxSheets = source === 'flatbed' ? 1 : sheets;
  let received = 0;
  const pull = async (): Promise<EncodedPage | undefined> => {
    ended.throwIfAborted();
    if (received > mostPages)
      throw new ScanError(
        'driver-failed',
        `"${name}" sent ${received} pages, more than mostPages allows. Scan the rest of the stack separately.`,
      );
    const document = await job.next();
    if (!document) {
      if (source === 'feeder') onEmpty();
      return undefined;
    }
    return { ...document, ...positionOf(received++, sides) };
  };
  while (received < maxSheets * sides.length && !(stop.aborted && received % sides.length === 0)) {
    const page = await pull();
    if (!page && received === 0) throw noPage(name, source);
    if (!page) return;
    yield page;
    ended.throwIfAborted();
  }
  if (!isContinuous || source === 'flatbed') return;
  // Sheets that were fed are yielded too (promise 1), also those that the device feeds meanwhile.
  while ((await job.imagesToTransfer()) > 0) {
    const page = await pull();
    if (!page) return;
    yield page;
  }
}

function positionOf(index: number, sides: readonly PageFacts['side'][]): Pick<PageFacts, 'sheet' | 'side'> {
  return { sheet: Math.floor(index / sides.length) + 1, side: sides[index % sides.length] ?? 'front' };
}

function noPage(name: string, source: Source): ScanError {
  if (source === 'feeder') return new ScanError('no-paper', `"${name}" has no paper in its feeder.`);
  return new ScanError('driver-failed', `"${name}" ended the scan without a page.`);
}
