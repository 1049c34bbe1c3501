/** A page as a component knows it: its facts, and where its bytes are. */
import type { ScannedPage, Turn } from '../../client/shapes.js';

/** At the service: its bytes are fetched only to show or save them. */
export interface KeptAt {
  /** The scan's id. */
  readonly scan: string;
  /** Within its scan, from 1. */
  readonly number: number;
  /** Of its paper, from 1 within its scan. */
  readonly sheet: number;
  readonly side: 'front' | 'back';
  /** Of its file. */
  readonly url: string;
  /** Why its file cannot be read; absent if it can. */
  readonly damage?: string | undefined;
  /** The bytes of its file, turned. @throws PlatenError */
  read(rotate: Turn): Promise<Blob>;
}

export interface Page extends Omit<ScannedPage, 'blob' | 'pageNumber' | 'fileSizeBytes'> {
  /** Of its file. */
  readonly bytes: number;
  /** Its file in this tab's memory, or at the service. */
  readonly file: Blob | KeptAt;
}

/** A page in the stack. */
export interface Sheet {
  /** Of a page that is kept: `scan/number`; unique in its stack. */
  readonly id: string;
  readonly page: Page;
  /** The scanner's name. */
  readonly scanner: string;
  readonly at: Date;
}

/** Undefined if the page is in this tab's memory. */
export const keptAt = ({ file }: Page): KeptAt | undefined => (file instanceof Blob ? undefined : file);

/** A page in this tab's memory. */
export const pageHere = ({ blob, fileSizeBytes, pageNumber: _number, ...facts }: ScannedPage): Page => ({
  ...facts,
  bytes: fileSizeBytes,
  file: blob,
});

export const isDamaged = ({ page }: Sheet): boolean => keptAt(page)?.damage !== undefined;
