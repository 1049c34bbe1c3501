/** A scan for one client: with a deadline, with notes, and from the flatbed if the feeder is empty. */
import { ScanError } from '../contract/errors.js';
import { createNoteList, type ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { InLine } from './lanes.js';
import { startScan, type KeepPage, type ScanJob, type ScanParts, type ScanRun } from './scanRun.js';

export interface ScanRequest {
  readonly scannerName: string;
  readonly options: ScanOptions;
  /** Of the web page that asks; empty or absent for a program. */
  readonly origin?: string;
  /** The client's id for this scan, to cancel it. */
  readonly requestId?: string;
  /** Remarks on the request itself; they come first. */
  readonly notes?: readonly ScanNote[];
}

export interface OnDemandRun extends ScanRun {
  readonly requestId: string | undefined;
  /** Notes, each once; complete when the run is over. */
  readonly notes: readonly ScanNote[];
}

/** Who receives the pages of a scan, and is told how it goes. */
export interface ScanSink extends Pick<ScanJob, 'onAccepted' | 'onScanned'> {
  /** Receives each page; if the scan fails or is ended, the scanned pages come first. */
  readonly keep: KeepPage;
  /** It waits for a scanner in use. Absent: it fails with `busy`. */
  readonly line?: InLine;
}

export function startOnDemand(
  { scannerName, requestId, options, origin = '', notes: onRequest = [] }: ScanRequest,
  { line, ...sink }: ScanSink,
  locate: ScanJob['locate'],
  parts: ScanParts,
): OnDemandRun {
  const { clock, limits, pool } = parts;
  const notes = createNoteList();
  const clearNotes = (): void => {
    notes.clear();
    onRequest.forEach(notes.add);
  };
  clearNotes();
  const run = startScan(
    {
      ...sink,
      kind: 'on-demand',
      scannerName,
      origins: origin === '' ? [] : [origin],
      locate,
      options,
      note: notes.add,
      ahead: Math.max(2, pool.places),
      onFlatbedInstead: clearNotes,
    },
    parts,
  );
  const seconds = options.timeoutSeconds;
  if (seconds === 0) return { ...run, requestId, notes: notes.all };
  const late = new ScanError('timeout', `The scan took longer than the ${seconds} s that the request allows.`);
  const begin = (): (() => void) => clock.after(seconds * 1000, () => run.end(late, limits.deadlineGraceMs));
  let cancelDeadline = (): void => undefined;
  // The time in line is not the scan's.
  if (line) void run.located.then(has => has && (cancelDeadline = begin()));
  else cancelDeadline = begin();
  return { ...run, over: run.over.finally(() => cancelDeadline()), requestId, notes: notes.all };
}
