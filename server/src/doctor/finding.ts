/** The result of one of the doctor's checks: its state, a sentence, and the fix. */

/** `skipped`: an earlier check failed, or the check was not requested. */
export type State = 'ok' | 'failed' | 'skipped';

export interface Outcome {
  readonly state: State;
  readonly sentence: string;
  /** The fix; one sentence per line. */
  readonly remedy?: string;
}

export interface Finding extends Outcome {
  /** For programs; stable. */
  readonly id: string;
  readonly title: string;
}

export const ok = (sentence: string): Outcome => ({ state: 'ok', sentence });
export const failed = (sentence: string, remedy: string): Outcome => ({ state: 'failed', sentence, remedy });
export const skipped = (sentence: string): Outcome => ({ state: 'skipped', sentence });

/** @param what must be fixed first */
export const notReached = (what: string): Outcome => skipped(`skipped: fix ${what} first`);
