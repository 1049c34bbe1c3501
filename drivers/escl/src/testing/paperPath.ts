/** The paper path: the sheets in the feeder, the flatbed, the running job, and AdfState. */
import { randomUUID } from 'node:crypto';
import type { FaultTable, PageFault } from './faults.js';
import type { Picture, SheetPictures } from './pictures.js';
import type { ScanSettings } from './settings.js';

export interface Job {
  readonly id: string;
  readonly settings: ScanSettings;
  state: 'Processing' | 'Completed' | 'Canceled' | 'Aborted';
  reason: string;
  /** Sheets that it has fed. */
  fed: number;
  /** Sides that it has sent. */
  images: number;
  /** Sides that it has fed and not sent yet. */
  readonly due: Picture[];
}

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

const JOBS = 5;

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
  const jobs: Job[] = [];
  let fed = 0;
  let saysEmpty = false;

  const running = () => jobs.find(({ state }) => state === 'Processing');
  const isLoaded = () => path.sheets.length > 0 && faults.ofSheet((running()?.fed ?? 0) + 1) !== 'empty';

  function end(job: Job, state: Job['state'], reason: string): void {
    if (job.state !== 'Processing') return;
    Object.assign(job, { state, reason });
    job.due.splice(0);
  }

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
    end(job, isFailed ? 'Aborted' : 'Completed', isFailed ? 'ResourcesAreNotReady' : 'JobCompletedSuccessfully');
    saysEmpty = airSane === 'loaded';
    return { status: saysEmpty ? 409 : 404 };
  }

  /** The response of a fault that replaces a page. */
  function fails(job: Job, fault: PageFault): Step | undefined {
    if (isTrouble(fault)) {
      if (fault === 'jam' || fault === 'multipick') feed(job);
      if (job.settings.source === 'Feeder') path.trouble = fault;
      end(job, 'Aborted', 'AbortedBySystem');
      return { status: 409 };
    }
    switch (fault) {
      case 'neverReady':
        return { status: 503 };
      case 'notReadyOnce':
        faults.spend(fault);
        return { status: 503, retryAfter: 1 };
      case 'early404':
        faults.spend(fault);
        return { status: 404 };
      case 'goneOnce':
        faults.spend(fault);
        return { status: 410 };
      case 'gone':
        end(job, 'Canceled', 'JobCanceledByUser');
        return { status: 410 };
      case 'aborted':
        end(job, 'Aborted', 'AbortedBySystem');
        return { status: 500 };
      case 'abortedEarly':
        end(job, 'Aborted', 'ResourcesAreNotReady');
        return { status: 404 };
      case 'redirect':
      case 'offline':
        return { status: 302, fault };
      default:
        return undefined;
    }
  }

  const path: PaperPath = {
    sheets: [],
    flatbed,
    trouble: undefined,
    jobs,
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
      if (running()?.settings.source === 'Feeder' && isLoaded()) return 'ScannerAdfProcessing';
      return isLoaded() ? 'ScannerAdfLoaded' : 'ScannerAdfEmpty';
    },
    isLoaded,
    begin(settings) {
      path.trouble = undefined;
      const job: Job = {
        id: randomUUID(),
        settings,
        state: 'Processing',
        reason: 'JobScanning',
        fed: 0,
        images: 0,
        due: [],
      };
      jobs.unshift(job);
      jobs.length = Math.min(jobs.length, JOBS);
      feedAhead(job);
      return job;
    },
    find: id => jobs.find(job => job.id === id),
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
        end(job, 'Completed', 'JobCompletedSuccessfully');
    },
    end,
  };
  return path;
}
