/** Everything that can be made to go wrong with the test device, by name, in the place where it happens. */

/** To POST ScanJobs, whatever the sheet. */
export const jobFaults = {
  busy: '503',
  busyOnce: '503 with Retry-After: 1, then as usual',
  conflict: '409',
  refused: '500',
  wrongLocation: 'the job is there, its Location names another host',
  noLocation: '201 without a Location',
  redirectJobs: '307 to another host',
} as const;

/** To NextDocument of one sheet: its first side. */
export const pageFaults = {
  neverReady: '503 for ever',
  notReadyOnce: '503 with Retry-After: 1, then the page',
  early404: '404, then the page (Brother)',
  gone: '410, and the job is cancelled',
  goneOnce: '410, then the page (Xerox B205)',
  jam: '409; the sheet has left the feeder',
  mispick: '409; the sheet is still in the feeder',
  multipick: '409; the sheet has left the feeder',
  hatch: '409; the sheet is still in the feeder',
  door: 'the same in other words (AirSane)',
  aborted: '500, and the job is aborted',
  abortedEarly: '404, and the job is aborted with sheets left (AirSane)',
  empty: 'the sensor sees no paper, and none is fed',
  hang: 'the sheet is fed and no answer comes',
  offline: 'the cable is pulled: connections end and none is taken until mend',
  torn: 'the connection ends after half of the JPEG, and the job is aborted',
  brokenOff: 'the connection ends after half of the JPEG, and nothing is said of it',
  jamTorn: 'half of the JPEG, whole by its length; the feeder says that it is jammed',
  slow: 'the JPEG comes in eight pieces',
  endless: 'the body goes on after the JPEG, up to 100 MB',
  wrongType: 'the JPEG is called text/html',
  notJpeg: 'a web page that is called image/jpeg',
  redirect: '302 to another host',
} as const;

/** To GET ScannerCapabilities and ScannerStatus, whatever the sheet. */
export const documentFaults = {
  entities: 'entities that grow to 3 GB, and one of another host',
  hugeXml: '100 MB of comment',
  notXml: 'a web page',
  deaf: 'no answer comes',
  unavailable: '503',
  redirectDocuments: '302 to another host',
} as const;

export type JobFault = keyof typeof jobFaults;
export type PageFault = keyof typeof pageFaults;
export type DocumentFault = keyof typeof documentFaults;
export type Fault = JobFault | PageFault | DocumentFault;

export const isPageFault = (fault: Fault): fault is PageFault => fault in pageFaults;

/** What scripted faults there are now. */
export interface FaultTable {
  /** @param sheet 1-based within a job; only faults of pages look at it */
  set(sheet: number | 'always', fault: Fault): void;
  has(fault: JobFault | DocumentFault): boolean;
  ofSheet(sheet: number): PageFault | undefined;
  /** Takes it away: a fault that happens once. */
  spend(fault: Fault): void;
  clear(): void;
}

export function faultTable(): FaultTable {
  const everywhere = new Set<Fault>();
  const sheets = new Map<number | 'always', PageFault>();
  return {
    set: (sheet, fault) => void (isPageFault(fault) ? sheets.set(sheet, fault) : everywhere.add(fault)),
    has: fault => everywhere.has(fault),
    ofSheet: sheet => sheets.get(sheet) ?? sheets.get('always'),
    spend(fault) {
      everywhere.delete(fault);
      for (const [sheet, each] of sheets) if (each === fault) sheets.delete(sheet);
    },
    clear() {
      everywhere.clear();
      sheets.clear();
    },
  };
}
