/** The bytes of a page's file, turned. */
import type { Turn } from '../../client/shapes.js';
import { turnedBlob } from './pictureHere.js';
import { keptAt, type Sheet } from '../pages/page.js';

/** @throws PlatenError if the service does not answer or no longer has the page */
export async function bytesOf({
  sheet: { page },
  turn,
}: {
  readonly sheet: Sheet;
  readonly turn: Turn;
}): Promise<Blob> {
  const kept = keptAt(page);
  if (kept) return kept.read(turn);
  if (turn === 0) return page.file as Blob;
  return turnedBlob(page.file as Blob, turn);
}
