/** Reads barcodes and text side by side; if one fails, its result is missing and the page is kept. */
import { plainWordsOf } from '../contract/errors.js';
import type { RawPage } from '../contract/page.js';
import type { Barcode } from '../contract/recogniser.js';
import type { Work } from './work.js';

export interface Recognised {
  readonly barcodes: readonly Barcode[];
  readonly ocrText: string;
}

export async function recognise(page: RawPage, pageNumber: number, work: Work): Promise<Recognised> {
  const { plan, software, call } = work;
  const readable = async <T>(what: 'barcodes' | 'text', read: () => Promise<T> | undefined, nothing: T): Promise<T> => {
    try {
      return (await read()) ?? nothing;
    } catch (error) {
      const text = `The ${what} of page ${pageNumber} could not be read: ${plainWordsOf(error)}.`;
      work.note({ code: what === 'text' ? 'ocr-failed' : 'barcodes-failed', text });
      return nothing;
    }
  };
  const [barcodes, ocrText] = await Promise.all([
    readable<readonly Barcode[]>(
      'barcodes',
      () => plan.barcode && software.barcode?.read(page, plan.barcode, call),
      [],
    ),
    readable('text', () => (plan.ocr ? software.ocr?.read(page, {}, call) : undefined), ''),
  ]);
  return { barcodes, ocrText };
}

export function recognises({ plan, software }: Work): boolean {
  return (plan.barcode !== undefined && software.barcode !== undefined) || (plan.ocr && software.ocr !== undefined);
}
