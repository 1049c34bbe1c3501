/** A scan that ended: the one line that the log has for each, and what is counted. Nothing of a page is in it. */
import type { ErrorCode } from '../contract/errors.js';

export type ScanKind = 'on-demand' | 'auto-scan';

export interface ScanEnd {
  /** `auto-scan`: one capture. */
  readonly kind: ScanKind;
  readonly scannerName: string;
  /** Pages that were stored. */
  readonly pages: number;
  readonly seconds: number;
  /** Why it is not complete. */
  readonly code: ErrorCode | undefined;
}

export function endSentence({ kind, scannerName, pages, seconds, code }: ScanEnd): string {
  const scan = kind === 'auto-scan' ? 'scan by auto-scan' : 'scan';
  const how = code === undefined ? 'is complete' : `ended with ${code}`;
  return `The ${scan} on ${scannerName} ${how}: pages ${pages}, ${seconds.toFixed(1)} s.`;
}
