/** Where `platen scan` scans: in this process, or in the service that has the data folder. */
import type { describeScanner, FinishedPage, InvalidValue, ScanError, ScanNote } from '@platen/core';
import type { StartParameters } from '../../service/parameters/scanParameters.js';
import type { DocumentAsk } from './documentAsk.js';
import type { PageFacts } from './pageFacts.js';

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
  /**
   * Why such a document cannot be written; undefined if it can.
   * @returns of the field `format` if no loaded document format has that extension
   */
  refusesDocument(ask: DocumentAsk): Promise<InvalidValue | undefined>;
  /** Endings of the files of pages, in lower case without a dot: names and aliases of the loaded image formats. */
  imageEndings(): Promise<readonly string[]>;
  /** As `scan`; the pages are kept until they are let go. They outlive this process where the configuration keeps scans. */
  keep(request: BackendRequest, see: SeePage): KeptRun;
  /** Ends a running scan, and frees the scanner if it is ours. */
  close(): Promise<void>;
}

/** Gets each page in order, one after the other. @returns why no other page should follow */
export type WritePage = (page: FinishedPage) => Promise<ScanError | undefined>;

/** Told of each page in order, when it is stored. @param bytes of its file */
export type SeePage = (page: PageFacts, bytes: number) => void;

export interface BackendRequest {
  readonly scannerName: string;
  readonly parameters: StartParameters;
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

/** A scan whose documents are written from pages that are kept. */
export interface KeptRun extends BackendRun {
  /** Whether the scan was accepted; if not, `over` has the reason. Resolves before paper moves. Never rejects */
  readonly started: Promise<boolean>;
  /**
   * Call it for a scan that was accepted. While the scan runs, the document waits for pages; if the scan fails, the pages
   * so far are all. The next request may overwrite a chunk.
   * @throws `no-pages`, and why not all of it could be had: {NoReply} if the service ended meanwhile
   */
  document(ask: DocumentAsk): AsyncIterable<Uint8Array>;
  /** Into which documents the pages are separated. Call it when the scan is over. */
  documents(): Promise<readonly SeparateDocument[]>;
  /** Lets the pages go. Never rejects: otherwise they go when their time is up. */
  release(): Promise<void>;
  /** Says how to get the pages, for a person. */
  leftOver(ask: DocumentAsk): string;
}

export interface SeparateDocument {
  /** From 1. */
  readonly number: number;
  /** From its separator's code, or `Document 1`. */
  readonly name: string;
  readonly pages: readonly number[];
}
