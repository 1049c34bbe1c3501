/** The scan jobs of the test device: the running one, and those that ended lately. */
import { randomUUID } from 'node:crypto';
import type { Picture } from './pictures.js';
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

export interface Jobs {
  /** The latest ones, newest first. */
  readonly all: readonly Job[];
  running(): Job | undefined;
  find(id: string): Job | undefined;
  begin(settings: ScanSettings): Job;
}

const JOBS = 5;

export function createJobs(): Jobs {
  const all: Job[] = [];
  return {
    all,
    running: () => all.find(({ state }) => state === 'Processing'),
    find: id => all.find(job => job.id === id),
    begin(settings) {
      const job: Job = {
        id: randomUUID(),
        settings,
        state: 'Processing',
        reason: 'JobScanning',
        fed: 0,
        images: 0,
        due: [],
      };
      all.unshift(job);
      all.length = Math.min(all.length, JOBS);
      return job;
    },
  };
}

/** Ends a job that has not ended yet; the sides that it has fed are lost. */
export function endJob(job: Job, state: Job['state'], reason: string): void {
  if (job.state !== 'Processing') return;
  Object.assign(job, { state, reason });
  job.due.splice(0);
}
