/** Where `platen scan` scans: in this process, or in the service that has the data folder. */
import type { describeScanner, FinishedPage, ScanError, ScanNote } from '@platen/core';
import type { Parameters } from '../../http/dto/parameters.js';

/** A scanner as the interface lists it. */
export type ListedScanner = ReturnType<typeof describeScanner>;

export interface ScanBackend {
  /**
   * All scanners.
   * @param name ends the wait for slow drivers when this scanner is found
   * @throws `not-connected` if the desktop application is not there
   */
  look(name?: string): Promise<readonly ListedScanner[]>;
  /** Starts at once, and checks everything before paper moves. */
  scan(request: BackendRequest, write: WritePage): BackendRun;
  /** Ends a running scan, and frees the scanner if it is ours. */
  close(): Promise<void>;
}

/** Gets each page in order, one after the other. @returns why no other page should follow */
export type WritePage = (page: FinishedPage) => Promise<ScanError | undefined>;

export interface BackendRequest {
  readonly scannerName: string;
  readonly parameters: Parameters;
}

export interface BackendRun {
  /**
   * Feeds nothing more and finishes the sheet in the path. The first reason stays.
   * @returns resolves within seconds, when the scanner's process knows. Never rejects
   */
  end(reason: ScanError): Promise<void>;
  /**
   * Resolves when every page went to `write`. Rejects only if the command itself failed.
   * @returns why the scan failed
   */
  readonly over: Promise<ScanError | undefined>;
  /** Complete when the run is over. */
  readonly notes: readonly ScanNote[];
}
