/** A finished page whose bytes are in a file, in the spool or in memory. */
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { ScanError } from '../contract/errors.js';
import type { Word } from '../contract/recogniser.js';
import type { FinishedPage } from '../pipeline/finish.js';
import type { KeptBytes } from '../pipeline/spool.js';

/** What is known of a page without its bytes. */
export interface StoredFacts {
  readonly page: Omit<FinishedPage, 'data' | 'words'>;
  /** Whether the client requested a report on each option. */
  readonly report: boolean;
  /** Bytes of its file. */
  readonly size: number;
  /** SHA-256 of its file, in lower-case hex. */
  readonly sha256: string;
  /** Present if it has words, maybe none: text was read, with boxes. */
  readonly hasWords?: true;
}

export interface StoredPage extends StoredFacts, KeptBytes {
  /** Whether the client has it. */
  readonly delivered: boolean;
  /** False while it is in memory only, because the disk refused it: it is lost when the service ends. */
  readonly isStored: boolean;
  /**
   * Finds out whether its bytes can be read, and are those that were stored.
   * @throws `storage-failed`
   */
  check(): Promise<void>;
  /**
   * The words of its text: they are read again with each call.
   * @returns undefined if `hasWords` is absent
   * @throws `storage-failed`
   */
  words(): Promise<readonly Word[] | undefined>;
  /** The client has it. */
  deliver(): void;
  /** Frees its bytes. */
  drop(): void;
}

/** Pages that belong together, in order, with facts about all of them. */
export interface PageStore<Facts> {
  readonly facts: Facts;
  /** Pages that were there when it was opened, in order. */
  readonly found: readonly StoredPage[];
  /**
   * Stores the facts, with these changes; otherwise that is done with the first page.
   * @throws `storage-failed`; the facts then stay as they were
   */
  begin(changed?: Partial<Facts>): Promise<void>;
  /** Writes pages that could not be written when they came. @throws `storage-failed` if some still cannot */
  save(): Promise<void>;
  /** Whether that has nothing to do. */
  isSaved(): boolean;
  /**
   * Always keeps the page. If writing fails, the page stays in memory and `problem` gives the reason: the caller should
   * stop feeding.
   */
  keep(page: FinishedPage, report: boolean): Promise<{ readonly stored: StoredPage; readonly problem?: ScanError }>;
  /** Stores changed facts. Never rejects. */
  tell(changed: Partial<Facts>): Promise<void>;
  /**
   * It is not found again. Its pages are removed at once, or after their last reader. Never rejects.
   * @param discard called when it is not found again; resolves after the last reader
   * @returns why it is still there, as it was, if the disk refused
   */
  remove(discard?: () => Promise<void>): Promise<ScanError | undefined>;
  /** Resolves when pending writes are done. */
  settled(): Promise<void>;
}

/** The number of pages that are lost if the service ends now: no client has them, and the disk refused them. */
export const atRisk = (pages: readonly StoredPage[]): number =>
  pages.filter(({ delivered, isStored }) => !delivered && !isStored).length;

/** Bytes that are hashed at a time, on the event loop: about a millisecond. */
const HASH_BYTES = 1024 * 1024;

/**
 * In slices, with turns of the event loop between them: `crypto.subtle` would copy the page first, which takes two
 * thirds as long as its digest.
 * @returns lower-case hex
 */
export async function sha256Of(data: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < data.byteLength; at += HASH_BYTES) {
    if (at > 0) await turn();
    hash.update(data.subarray(at, at + HASH_BYTES));
  }
  return hash.digest('hex');
}
