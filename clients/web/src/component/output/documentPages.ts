/** Pages of any scans as the service takes them for one document. */
import type { Turn } from '../../client/shapes.js';
import type { Shown } from './files.js';

export interface DocumentPage {
  /** Its id. */
  readonly scan: string;
  /** Within its scan, from 1. */
  readonly number: number;
  readonly rotate?: Turn;
}

export const pagesOf = (shown: readonly Shown[]): readonly DocumentPage[] =>
  shown.map(({ sheet, turn }) => {
    const { scan, number } = sheet.page.file;
    return turn === 0 ? { scan, number } : { scan, number, rotate: turn };
  });
