/** A page as a component knows it: its facts, and where its bytes are. */
import type { ScannedPage, Turn } from '../../client/shapes.js';

/** Where the service keeps it: its bytes are fetched only to show or save them. */
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
  readonly file: KeptAt;
}

/** A page in the stack. */
export interface Sheet {
  /** `scan/number` */
  readonly id: string;
  readonly page: Page;
  /** The scanner's name. */
  readonly scanner: string;
  readonly at: Date;
}

export const isDamaged = ({ page }: { readonly page: Page }): boolean => page.file.damage !== undefined;
