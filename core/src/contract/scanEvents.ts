/** What a plugin may follow of scans: counts and codes, and nothing of a page. */
import type { ErrorCode } from './errors.js';

interface OfScan {
  /** An id of the scan, the same in all of its events and in no other scan's; no client knows it. */
  readonly scan: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Web pages that asked for the scan; empty for a program. Only if the configuration says `events.origins`. */
  readonly origins?: readonly string[];
}

/**
 * In order for each scan: `scan-started` when paper may move, `page-stored` once for each page that its client can have,
 * `scan-ended` when no other page comes. A scan that was refused has none of them.
 */
export type ScanEvent = OfScan &
  (
    | {
        readonly event: 'scan-started';
        /** `auto-scan`: one document of it. */
        readonly kind: 'on-demand' | 'auto-scan';
        /** As clients know it. */
        readonly scanner: string;
      }
    | {
        readonly event: 'page-stored';
        /** From 1. */
        readonly page: number;
      }
    | {
        readonly event: 'scan-ended';
        /** Pages that were stored. */
        readonly pages: number;
        readonly seconds: number;
        /** Why it is not complete; absent: it is. */
        readonly code?: ErrorCode;
      }
  );
