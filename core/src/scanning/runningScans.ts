/** Who scans on demand now: one at a time. */
import { ScanError } from '../contract/errors.js';
import type { KnownDevice } from '../registry/devices.js';
import { startOnDemand, type OnDemandRun, type ScanRequest, type ScanSink } from './onDemand.js';
import type { ScanParts } from './scanRun.js';

export interface RunningScans {
  /** Whether one has its scanner. */
  readonly isScanning: boolean;
  /** Those that have, or look for, their scanner: one that is not there keeps nobody from scanning. */
  readonly count: number;
  /** @throws `busy` */
  assertFree(): void;
  /**
   * Starts at once.
   * @param locate finds the scanner; it calls `claim` when the scan takes it, which throws `busy` if another one was faster
   * @throws `busy`
   */
  start(
    request: ScanRequest,
    sink: ScanSink,
    locate: (signal: AbortSignal, claim: () => void) => Promise<KnownDevice>,
  ): OnDemandRun;
  /** Ends all, or only the scan with this id. @returns whether there was one */
  cancel(requestId?: string): boolean;
  /** None starts from now on. */
  refuse(): void;
  /** Ends all after the sheet in the path. */
  end(reason: ScanError): Promise<void>;
}

export function createRunningScans(parts: ScanParts): RunningScans {
  let running: OnDemandRun | undefined;
  let refuses = false;
  const begun = new Set<OnDemandRun>();
  const assertFree = (): void => {
    if (refuses) throw new ScanError('busy', 'The service is stopping.');
    if (!running) return;
    const name = parts.openScanner.current?.known.name;
    const who = name === undefined ? 'A scan is running' : `${name} is scanning`;
    throw new ScanError('busy', `${who}. Try again when the scan has finished, or cancel it.`);
  };
  return {
    get isScanning() {
      return running !== undefined;
    },
    get count() {
      return begun.size;
    },
    assertFree,
    start(request, sink, locate) {
      assertFree();
      const claim = (): void => {
        if (running === its) return;
        assertFree();
        running = its;
      };
      const run = startOnDemand(request, sink, signal => locate(signal, claim), parts);
      const over = run.over.then(error => {
        begun.delete(its);
        if (running === its) running = undefined;
        return error;
      });
      const its: OnDemandRun = { ...run, over };
      begun.add(its);
      return its;
    },
    cancel(requestId) {
      const meant = [...begun].filter(each => requestId === undefined || each.requestId === requestId);
      for (const each of meant) each.end(new ScanError('cancelled', 'The scan was cancelled.'));
      return meant.length > 0;
    },
    refuse: () => void (refuses = true),
    async end(reason) {
      for (const each of begun) each.end(reason);
      await Promise.all([...begun].map(({ over }) => over));
    },
  };
}
