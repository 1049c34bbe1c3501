/** The paper path: the sheets in the feeder, the flatbed, what the running job gets of them, and AdfState. */
import type { FaultTable, PageFault } from './faults.js';
import { createJobs, endJob, type Job } from './jobs.js';
import type { Picture, SheetPictures } from './pictures.js';
import type { ScanSettings } from './settings.js';

/** The response to NextDocument. */
export interface Step {
  readonly status: number;
  readonly retryAfter?: number;
  /** With status 200. */
  readonly picture?: Picture;
  /** The fault that affects the response. */
  readonly fault?: PageFault;
}

/** AdfState for each trouble of a feeder. AirSane and sane-airscan call an open hatch a door. */
export const troubles = {
  jam: 'ScannerAdfJam',
  mispick: 'ScannerAdfMispick',
  multipick: 'ScannerAdfMultipickDetected',
  hatch: 'ScannerAdfHatchOpen',
  door: 'ScannerAdfDoorOpen',
} as const;
export type Trouble = keyof typeof troubles;

const isTrouble = (fault: PageFault): fault is Trouble => fault in troubles;

export interface PaperPath {
  readonly sheets: SheetPictures[];
  flatbed: Picture;
  trouble: Trouble | undefined;
  /** The latest ones, newest first. */
  readonly jobs: readonly Job[];
  /** Sheets that left the feeder. */
  readonly fed: number;
  /** AdfState for the next status response. */
  adf(): string;
  isLoaded(): boolean;
  begin(settings: ScanSettings): Job;
  find(id: string): Job | undefined;
  next(job: Job): Step;
  /** The side was sent completely. */
  delivered(job: Job): void;
  end(job: Job, state: 'Canceled' | 'Aborted', reason: string): void;
}

/** How a fault fails a request for a page. */
interface Failure {
  readonly step: Step;
  /** It ends the job like this. */
  readonly end?: readonly [state: 'Canceled' | 'Aborted', reason: string];
  /** Only the first request fails. */
  readonly isOnce?: true;
}

/** The responses of faults that replace a page, except the troubles of a feeder. */
const failures: Partial<Readonly<Record<PageFault, Failure>>> = {
  neverReady: { step: { status: 503 } },
  notReadyOnce: { step: { status: 503, retryAfter: 1 }, isOnce: true },
  early404: { step: { status: 404 }, isOnce: true },
  goneOnce: { step: { status: 410 }, isOnce: true },
  gone: { step: { status: 410 }, end: ['Canceled', 'JobCanceledByUser'] },
  aborted: { step: { status: 500 }, end: ['Aborted', 'AbortedBySystem'] },
  abortedEarly: { step: { status: 404 }, end: ['Aborted', 'ResourcesAreNotReady'] },
  redirect: { step: { status: 302, fault: 'redirect' } },
  offline: { step: { status: 302, fault: 'offline' } },
};

/**
 * @param ahead sheets that it feeds before they are requested
 * @param airSane behaves as AirSane
 */
export function paperPath(
  flatbed: Picture,
  faults: FaultTable,
  ahead: number,
  airSane?: 'loaded' | 'empty',
): PaperPath {
  const jobs = createJobs();
  let fed = 0;
  let saysEmpty = false;

  const isLoaded = () => path.sheets.length > 0 && faults.ofSheet((jobs.running()?.fed ?? 0) + 1) !== 'empty';

  function feed(job: Job): boolean {
    if (job.settings.source === 'Platen') {
      if (job.fed > 0) return false;
      job.due.push(path.flatbed);
    } else {
      if (!isLoaded()) return false;
      const { front, back } = path.sheets.shift()!;
      job.due.push(...(job.settings.duplex ? [front, back] : [front]));
      fed++;
    }
    job.fed++;
    return true;
  }

  /** A sheet with a fault is not fed ahead. */
  function feedAhead(job: Job): void {
    const sides = job.settings.duplex ? 2 : 1;
    while (
      job.settings.source === 'Feeder' &&
      job.due.length < ahead * sides &&
      !faults.ofSheet(job.fed + 1) &&
      feed(job)
    );
  }

  function outOfPaper(job: Job): Step {
    const isFailed = airSane !== undefined && job.images === 0;
    endJob(job, isFailed ? 'Aborted' : 'Completed', isFailed ? 'ResourcesAreNotReady' : 'JobCompletedSuccessfully');
    saysEmpty = airSane === 'loaded';
    return { status: saysEmpty ? 409 : 404 };
  }

  /** The response of a fault that replaces a page. */
  function fails(job: Job, fault: PageFault): Step | undefined {
    if (isTrouble(fault)) {
      if (fault === 'jam' || fault === 'multipick') feed(job);
      if (job.settings.source === 'Feeder') path.trouble = fault;
      endJob(job, 'Aborted', 'AbortedBySystem');
      return { status: 409 };
    }
    const { step, end, isOnce } = failures[fault] ?? {};
    if (isOnce) faults.spend(fault);
    if (end) endJob(job, ...end);
    return step;
  }

  const path: PaperPath = {
    sheets: [],
    flatbed,
    trouble: undefined,
    jobs: jobs.all,
    get fed() {
      return fed;
    },
    adf() {
      if (path.trouble) return troubles[path.trouble];
      if (airSane) {
        const isEmpty = saysEmpty || airSane === 'empty';
        saysEmpty = false;
        return isEmpty ? 'ScannerAdfEmpty' : 'ScannerAdfLoaded';
      }
      if (jobs.running()?.settings.source === 'Feeder' && isLoaded()) return 'ScannerAdfProcessing';
      return isLoaded() ? 'ScannerAdfLoaded' : 'ScannerAdfEmpty';
    },
    isLoaded,
    begin(settings) {
      path.trouble = undefined;
      const job = jobs.begin(settings);
      feedAhead(job);
      return job;
    },
    find: jobs.find,
    next(job) {
      if (job.state !== 'Processing') return { status: job.state === 'Canceled' ? 410 : 404 };
      const isNew = job.due.length === 0;
      const fault = isNew ? faults.ofSheet(job.fed + 1) : undefined;
      const failed = fault && fails(job, fault);
      if (failed) return failed;
      if (isNew && !feed(job)) {
        return outOfPaper(job);
      }
      const picture = job.due.shift()!;
      feedAhead(job);
      return { status: 200, picture, ...(fault && { fault }) };
    },
    delivered(job) {
      job.images++;
      if (job.due.length > 0) return;
      if (job.settings.source === 'Platen' || (!airSane && !isLoaded()))
        endJob(job, 'Completed', 'JobCompletedSuccessfully');
    },
    end: endJob,
  };
  return path;
}
