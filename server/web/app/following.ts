/** Follows a scan that the service keeps: its pages, its progress, and how it ended. */
import {
  PlatenError,
  type Note,
  type PlatenErrorCode,
  type Scan,
  type ScanPage,
  type ScanProgress,
} from '../client.js';
import type { Page } from './page.js';

/** How a scan ended. */
export interface ScanEnd {
  readonly isFault: boolean;
  /** Why it did not complete. */
  readonly code: PlatenErrorCode | undefined;
  /** The same, for the user. */
  readonly error: string | undefined;
  readonly notes: readonly Note[];
}

/** Who is told how a scan goes. */
export interface ScanSink {
  onPages(pages: readonly Page[]): void;
  onProgress(progress: ScanProgress): void;
  onConnection(connected: boolean): void;
}

/**
 * Delivers the pages that were not delivered yet, until the scan ends.
 * @throws PlatenError `no-answer` if the service is gone for long, `scan-not-found` if it no longer has the scan
 */
export async function follow(scan: Scan, { onPages, onProgress, onConnection }: ScanSink): Promise<ScanEnd> {
  let arrived: Page[] = [];
  const flush = (): void => {
    const pages = arrived;
    arrived = [];
    if (pages.length > 0) onPages(pages);
  };
  try {
    for await (const page of scan.pages({ onProgress, onConnection })) {
      // Pages of an earlier scan arrive in bursts: the page draws itself once for all of them.
      if (arrived.push(keptPage(scan.id, page)) === 1) setTimeout(flush);
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

const codeOf = ({ code = 'failed' }: Scan): PlatenErrorCode => code;

function keptPage(scan: string, page: ScanPage): Page {
  const { number, url, error: damage } = page;
  return { ...page, file: { scan, number, url, damage, read: () => page.blob() } };
}
