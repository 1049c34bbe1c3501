/** The faults of the test device, by name and by the request that they affect. */

/** To POST ScanJobs, whatever the sheet. */
export const jobFaults = {
  busy: '503',
  busyOnce: '503 with Retry-After: 1, then as usual',
  conflict: '409',
  refused: '500',
  wrongLocation: 'the job is created, its Location names another host',
  noLocation: '201 without a Location',
  redirectJobs: '307 to another host',
} as const;

/** To NextDocument of one sheet: its first side. */
export const pageFaults = {
  neverReady: '503, always',
  notReadyOnce: '503 with Retry-After: 1, then the page',
  early404: '404, then the page (Brother)',
  gone: '410, and the job is cancelled',
  goneOnce: '410, then the page (Xerox B205)',
  jam: '409; the sheet has left the feeder',
  mispick: '409; the sheet is still in the feeder',
  multipick: '409; the sheet has left the feeder',
  hatch: '409; the sheet is still in the feeder',
  door: "as hatch, with AirSane's AdfState",
  aborted: '500, and the job is aborted',
  abortedEarly: '404, and the job is aborted with sheets left (AirSane)',
  empty: 'the sensor sees no paper, and none is fed',
  hang: 'the sheet is fed, no response is sent',
  offline: 'unplugged: connections end and none is accepted until clearFaults',
  torn: 'the connection ends after half of the JPEG, and the job is aborted',
  brokenOff: 'the connection ends after half of the JPEG, the job continues',
  jamTorn: 'half of the JPEG with a matching Content-Length; AdfState is ScannerAdfJam',
  slow: 'the JPEG comes in eight pieces',
  endless: 'the body continues after the JPEG, up to 100 MB',
  wrongType: 'the JPEG has the Content-Type text/html',
  notJpeg: 'a web page with the Content-Type image/jpeg',
  redirect: '302 to another host',
} as const;

/** To DELETE of a job, whatever the sheet. */
export const endFaults = { deafToEnd: 'no response, and the job goes on' } as const;

/** To GET ScannerCapabilities and ScannerStatus, whatever the sheet. */
export const documentFaults = {
  entities: 'entities that expand to 3 GB, and one of another host',
  hugeXml: '100 MB of comment',
  notXml: 'a web page',
  deaf: 'no response',
  unavailable: '503',
  redirectDocuments: '302 to another host',
} as const;

export type JobFault = keyof typeof jobFaults;
export type PageFault = keyof typeof pageFaults;
export type DocumentFault = keyof typeof documentFaults;
export type EndFault = keyof typeof endFaults;
export type Fault = JobFault | PageFault | DocumentFault | EndFault;

export const isPageFault = (fault: Fault): fault is PageFault => fault in pageFaults;

/** The scripted faults at present. */
export interface FaultTable {
  /** @param sheet 1-based within a job; for page faults only */
  set(sheet: number | 'always', fault: Fault): void;
  has(fault: JobFault | DocumentFault | EndFault): boolean;
  ofSheet(sheet: number): PageFault | undefined;
  /** Removes a fault that happens once. */
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
