/** A page as this tab knows it: its facts, and where its bytes are. */
import type { ScannedPage } from '../client.js';

/** At the service: the tab fetches its bytes only to show or save them. */
export interface KeptAt {
  /** The scan's id. */
  readonly scan: string;
  /** Within its scan, from 1. */
  readonly number: number;
  /** Of its file, on this origin. */
  readonly url: string;
  /** Why its file cannot be read; absent if it can. */
  readonly damage?: string | undefined;
  /** The bytes of its file. @throws PlatenError */
  read(): Promise<Blob>;
}

export interface Page extends Omit<ScannedPage, 'blob' | 'pageNumber' | 'fileSizeBytes'> {
  /** Of its file. */
  readonly bytes: number;
  /** Its file in this tab's memory, or at the service. */
  readonly file: Blob | KeptAt;
}

/** Undefined if the page is in this tab's memory. */
export const keptAt = ({ file }: Page): KeptAt | undefined => (file instanceof Blob ? undefined : file);

/** A page in this tab's memory. */
export const pageHere = ({ blob, fileSizeBytes, pageNumber: _number, ...facts }: ScannedPage): Page => ({
  ...facts,
  bytes: fileSizeBytes,
  file: blob,
});

/** @throws PlatenError if the service does not answer or no longer has the page */
export const bytesOf = async ({ file }: Page): Promise<Blob> => (file instanceof Blob ? file : file.read());
