/** The image of a page, in the form that its file allows: as it is, or from its pixels. */
import type { DocumentPage } from '@platen/core/plugin';
import type { G4Encoder } from './g4Encoder.js';
import { jpegImage } from './jpegImage.js';
import { type PageImage, pixelImage } from './pixelImage.js';
import { pngImage } from './pngImage.js';

/**
 * Nothing is left open if its data are not read.
 * @throws `storage-failed` if the file is damaged, also after the last piece of data
 */
export async function pageImage(page: DocumentPage, g4: G4Encoder, signal: AbortSignal): Promise<PageImage> {
  return (await fromFile(page)) ?? pixelImage(page, g4, signal);
}

async function fromFile(page: DocumentPage): Promise<PageImage | undefined> {
  if (page.mimeType === 'image/jpeg') return jpegImage(page);
  return page.mimeType === 'image/png' ? pngImage(page) : undefined;
}
