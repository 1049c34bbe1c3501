/** Pages of any scans as the service takes them for one document. */
import type { Turn } from '../../client/shapes.js';
import { keptAt } from '../pages/page.js';
import type { Shown } from './files.js';

export interface DocumentPage {
  /** Its id. */
  readonly scan: string;
  /** Within its scan, from 1. */
  readonly number: number;
  readonly rotate?: Turn;
}

/** Without those that the service does not have. */
export const pagesOf = (shown: readonly Shown[]): readonly DocumentPage[] =>
  shown.flatMap(({ sheet, turn }) => {
    const kept = keptAt(sheet.page);
    if (!kept) return [];
    const { scan, number } = kept;
    return [turn === 0 ? { scan, number } : { scan, number, rotate: turn }];
  });
