/** Finished pages with known bytes. */
import type { FinishedPage } from '../pipeline/finish.js';

export const pageOf = (pageNumber: number, data: Uint8Array = new Uint8Array(10).fill(pageNumber)): FinishedPage => ({
  pageNumber,
  sheet: pageNumber,
  side: 'front',
  width: 8,
  height: 4,
  dpi: 100,
  format: 'Png',
  mimeType: 'image/png',
  ocrText: 'é\n',
  barcodes: [],
  processing: [],
  report: [],
  data,
});
