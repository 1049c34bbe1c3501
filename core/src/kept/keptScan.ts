/** A scan as a resource: its pages stay until its clients have them. */
import type { ErrorCode, ScanError } from '../contract/errors.js';
import type { ScanNote } from '../pipeline/notes.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import type { KeptFacts, ScanState } from './scanFacts.js';
import type { PageStore, StoredPage } from './storedPage.js';

export interface ScanProgress {
  /** Pages that the scanner has delivered. */
  readonly scanned: number;
  /** Pages that are stored. */
  readonly finished: number;
  /** Its place in line for the scanner, from 1; absent when it has the scanner. */
  readonly placeInLine?: number;
}

export interface KeptScan {
  /** Cannot be guessed. */
  readonly id: string;
  /** Origins that own it: of web pages, and the empty origin for programs. */
  readonly origins: readonly string[];
  readonly kind: 'scan' | 'autoscan';
  readonly scannerName: string;
  readonly requestId?: string;
  /** As requested; absent for an auto-scan. */
  readonly options?: ScanOptions;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly state: ScanState;
  /** Why it is not running or completed, for programs. */
  readonly code?: ErrorCode | undefined;
  /** The same as a sentence. */
  readonly error?: string | undefined;
  readonly notes: readonly ScanNote[];
  readonly pages: readonly StoredPage[];
  readonly progress: ScanProgress;
  /** Resolves when anything of it changes. */
  changed(): Promise<void>;
  /** Ends it after the sheet in the path. No effect unless it runs on demand. */
  cancel(): void;
}

/** A kept scan for the collection, of either kind. */
export interface ScanRecord extends KeptScan {
  readonly store: PageStore<KeptFacts>;
  /** Whether its owners can ask for it. An auto-scan that does not keep its pages is a scan for them when it is over. */
  readonly isShown: boolean;
  /** Whether it is in their list. */
  readonly isListed: boolean;
  /** Whether it runs, or is sent in one answer: then it stays. */
  readonly isUsed: boolean;
  /** Milliseconds for which it is kept after its end. */
  readonly keepMs: number;
  /** Bytes of its pages that count against `keepBytes`: of an auto-scan's only if it keeps them. */
  readonly bytes: number;
  /** A client follows it. @returns what to call when it does not any more. Absent: nobody is missed */
  attend?(): () => void;
  /** The number of pages that no client has; an auto-scan's that a reader is reading do not count. */
  readonly unread: number;
  /** The number of pages that are lost if the service ends now; not those of an answer that is being sent. */
  readonly atRisk: number;
  /**
   * Removes its pages; a key may still name it. Never rejects.
   * @param isTaken its client has everything
   * @returns why it is still there, as it was, if it is
   */
  remove(isTaken?: boolean): Promise<ScanError | undefined>;
}
