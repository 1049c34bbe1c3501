/** Who scans on demand now: any number at a time, each on a lane of its own. */
import { ScanError } from '../contract/errors.js';
import type { KnownDevice } from '../devices/devices.js';
import type { Lane, LaneUser } from './lanes.js';
import { startOnDemand, type OnDemandRun, type ScanRequest, type ScanSink } from './onDemand.js';
import { unlessAborted } from '../time/wait.js';
import type { ScanParts } from './scanRun.js';

export interface RunningScans {
  /** Those that have, or look for, their scanner: one that is not there keeps nobody from scanning. */
  readonly count: number;
  /** @throws `busy` while the service stops */
  assertAccepts(): void;
  /**
   * Starts at once.
   * @param locate finds the scanner; it calls `take` with its lane, which waits in line, or throws `busy` if somebody uses that
   * @throws `busy` while the service stops
   */
  start(
    request: ScanRequest,
    sink: ScanSink,
    locate: (signal: AbortSignal, take: (lane: Lane) => Promise<void>) => Promise<KnownDevice>,
  ): OnDemandRun;
  /**
   * Ends those of a web page, or all for a program, whose origin is empty.
   * @param requestId ends only the scan with this id
   * @returns whether there was one
   */
  cancel(origin: string, requestId?: string): boolean;
  /** None starts from now on. */
  refuse(): void;
  /** Ends all after the sheet in the path. */
  end(reason: ScanError): Promise<void>;
}

export function createRunningScans(parts: ScanParts): RunningScans {
  let refuses = false;
  const begun = new Map<OnDemandRun, string>();
  const assertAccepts = (): void => {
    if (refuses) throw new ScanError('busy', 'The service is stopping.');
  };
  return {
    get count() {
      return begun.size;
    },
    assertAccepts,
    start(request, sink, locate) {
      assertAccepts();
      const owner = request.origin ?? '';
      const user: LaneUser = { kind: 'scan', isOf: origin => origin === owner };
      let taken: Lane | undefined;
      const taking = async (lane: Lane, signal: AbortSignal): Promise<void> => {
        assertAccepts();
        if (sink.line) await lane.takeInTurn(user, sink.line, signal);
        else lane.take(user);
        taken = lane;
        // It is not the scan's fault that somebody opens or closes the scanner.
        if (sink.line) await unlessAborted(lane.scanner.still(), signal);
      };
      const run = startOnDemand(request, sink, signal => locate(signal, lane => taking(lane, signal)), parts);
      const over = run.over.then(error => {
        begun.delete(its);
        taken?.leave(user);
        return error;
      });
      const its: OnDemandRun = { ...run, over };
      begun.set(its, owner);
      return its;
    },
    cancel(origin, requestId) {
      const meant = [...begun].filter(
        ([run, its]) => (origin === '' || its === origin) && (requestId === undefined || run.requestId === requestId),
      );
      for (const [each] of meant) each.end(new ScanError('cancelled', 'The scan was cancelled.'));
      return meant.length > 0;
    },
    refuse: () => void (refuses = true),
    async end(reason) {
      for (const each of begun.keys()) each.end(reason);
      await Promise.all([...begun.keys()].map(({ over }) => over));
    },
  };
}
