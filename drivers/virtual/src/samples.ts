/** The built-in documents, for scans without paper. */
import { readFile } from 'node:fs/promises';
import { readImage, type SheetImage } from './sheetImage.js';

/** In the order in which a feeder finds them; each is Letter at 200 dpi. */
export const sampleNames = ['letter.png', 'invoice.png', 'labels.png', 'photo.jpg'] as const;

const folder = new URL('../samples/', import.meta.url);

/** The n-th document, from 0; after the last comes the first again. */
export async function sample(n: number): Promise<SheetImage> {
  return readImage(await readFile(new URL(sampleNames[n % sampleNames.length]!, folder)));
}
