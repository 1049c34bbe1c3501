/** A scan in a test: its order, and all that became of it. */
import type { Page, RawPage, ScanCall, ScanOrder, Session } from '@platen/core/plugin';

/** A signal that never comes. */
export const never = (): AbortSignal => new AbortController().signal;

/** A small grey page from the feeder. */
export function orderOf(order: Partial<ScanOrder> = {}): ScanOrder {
  return {
    source: 'feeder',
    resolution: 75,
    colorMode: 'Grayscale',
    duplexMode: 'Simplex',
    pageSize: 'A6',
    adjustments: [],
    maxPixels: 100_000_000,
    ...order,
  };
}

export interface Scanned<P extends Page = Page> {
  readonly pages: P[];
  /** Of what ended the scan; undefined and empty where it came to its end. */
  readonly code: unknown;
  readonly message: string;
}

/** The pages that came, and the code and words of what ended them. */
export async function scanned<P extends Page = RawPage>(
  session: Session,
  order: Partial<ScanOrder> = {},
  call: Partial<ScanCall> = {},
): Promise<Scanned<P>> {
  const pages: P[] = [];
  try {
    for await (const page of session.scan(orderOf(order), { signal: never(), stop: never(), ...call }))
      pages.push(page as P);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { pages, code, message };
  }
  return { pages, code: undefined, message: '' };
}
