/** The paper's way through the scanner: one document is fetched for each side that is pulled. */
import { ScanError, type EncodedPage, type PageFacts, type Source } from '@platen/core/plugin';
import { beginJob, type Job, type JobParts } from './job.js';
import type { Prepared } from './prepare.js';
import { asScanError } from './statuses.js';

export interface Pass extends JobParts {
  readonly source: Source;
  readonly prepared: Prepared;
  /** The most sheets to feed. */
  readonly sheets: number;
  /** Whether the device draws in sheets that nobody has asked for yet. */
  readonly isContinuous: boolean;
  /** A feeder with more pages than this has no end. */
  readonly mostPages: number;
  /** The feeder has no more. */
  onEmpty(): void;
}

export async function* pass(context: Pass): AsyncGenerator<EncodedPage, void, undefined> {
  const { name, prepared, ended } = context;
  let job: Job | undefined;
  try {
    job = await beginJob(context, prepared);
    if (job) yield* pages(job, context);
  } catch (error) {
    throw ended.aborted ? ended.reason : asScanError(error, name);
  } finally {
    // Also of a job that ended by itself: some devices are busy until they are told.
    await job?.end();
  }
}

async function* pages(job: Job, { name, source, sheets, prepared, isContinuous, mostPages, stop, ended, onEmpty }: Pass): AsyncGenerator<EncodedPage, void, undefined> {
  const { sides } = prepared;
  const most = source === 'flatbed' ? 1 : sheets;
  let came = 0;
  const pull = async (): Promise<EncodedPage | undefined> => {
    ended.throwIfAborted();
    if (came > mostPages) throw new ScanError('driver-failed', `"${name}" sent ${came} pages without an end (mostPages): scan the rest of the stack by itself.`);
    const sent = await job.next();
    if (!sent) {
      if (source === 'feeder') onEmpty();
      return undefined;
    }
    return { ...sent, ...placeOf(came++, sides) };
  };
  while (came < most * sides.length && !(stop.aborted && came % sides.length === 0)) {
    const page = await pull();
    if (!page && came === 0) throw nothing(name, source);
    if (!page) return;
    yield page;
    ended.throwIfAborted();
  }
  if (!isContinuous || source === 'flatbed') return;
  // What has been fed is not lost (promise 1), also where the device draws in more as its pages are fetched.
  while ((await job.waiting()) > 0) {
    const page = await pull();
    if (!page) return;
    yield page;
  }
}

function placeOf(index: number, sides: readonly PageFacts['side'][]): Pick<PageFacts, 'sheet' | 'side'> {
  return { sheet: Math.floor(index / sides.length) + 1, side: sides[index % sides.length] ?? 'front' };
}

function nothing(name: string, source: Source): ScanError {
  if (source === 'feeder') return new ScanError('no-paper', `"${name}" has no paper in its feeder.`);
  return new ScanError('driver-failed', `"${name}" ended the scan without a page.`);
}
