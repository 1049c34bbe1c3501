/** Follows a scan that the service keeps: its pages, its progress, and how it ended. */
import { PlatenError, type PlatenErrorCode } from '../../client/errors.js';
import type { Scan } from '../../client/scans/keptScan.js';
import type { ScanPage } from '../../client/scans/scanPage.js';
import type { Note, ScanProgress } from '../../client/shapes.js';
import { sheetId } from '../pages/layout.js';
import type { Sheet } from '../pages/page.js';

/** How a scan ended. */
export interface ScanEnd {
  readonly isFault: boolean;
  /** Why it did not complete. */
  readonly code: PlatenErrorCode | undefined;
  /** The same in the service's words. */
  readonly error: string | undefined;
  readonly notes: readonly Note[];
}

/** Who is told how a scan goes. */
export interface ScanSink {
  onSheets(sheets: readonly Sheet[]): void;
  onProgress(progress: ScanProgress): void;
  onConnection(connected: boolean): void;
}

/**
 * Delivers the pages that were not delivered yet, until the scan ends.
 * @throws PlatenError `no-answer` if the service is gone for long, `scan-not-found` if it no longer has the scan
 */
export async function follow(scan: Scan, { onSheets, onProgress, onConnection }: ScanSink): Promise<ScanEnd> {
  let arrived: Sheet[] = [];
  const flush = (): void => {
    const sheets = arrived;
    arrived = [];
    if (sheets.length > 0) onSheets(sheets);
  };
  try {
    for await (const page of scan.pages({ onProgress, onConnection })) {
      // Pages of an earlier scan arrive in bursts: they are drawn once for all of them.
      if (arrived.push(sheetOf(scan, page)) === 1) setTimeout(flush);
    }
  } catch (error) {
    const isItsOwn = scan.state !== 'running' && error instanceof PlatenError && error.code === codeOf(scan);
    if (!isItsOwn) throw error;
  } finally {
    flush();
  }
  const { state, error, notes } = scan;
  const isFault = state !== 'completed' && state !== 'cancelled';
  return { isFault, code: state === 'completed' ? undefined : codeOf(scan), error, notes };
}

const codeOf = ({ code = 'internal' }: Scan): PlatenErrorCode => code;

function sheetOf(scan: Scan, page: ScanPage): Sheet {
  const { number, url, sheet, side, error: damage } = page;
  return {
    id: sheetId(scan.id, number),
    scanner: scan.scannerName,
    at: new Date(scan.createdAt),
    page: {
      ...page,
      file: { scan: scan.id, number, url, sheet, side, damage, read: rotate => page.blob({ rotate }) },
    },
  };
}

/** The service keeps the scan, however long it is away: tries again until it answers, or the person cancels. */
export async function whileAway<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || !(error instanceof PlatenError) || error.code !== 'no-answer') throw error;
    }
  }
}

/** Only parameters that the service did not follow; the pages show the rest. In the service's words. */
export const textOf = (notes: readonly { readonly text: string }[] = []): string =>
  notes.map(({ text }) => text).join(' ');
