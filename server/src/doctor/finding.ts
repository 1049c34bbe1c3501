/** What one look of the doctor finds: how it is, in a sentence, and what to do about it. */

/** `skipped`: not reached, because something before it is wrong, or not asked for. */
export type State = 'ok' | 'failed' | 'skipped';

export interface Outcome {
  readonly state: State;
  readonly sentence: string;
  /** What to do about it; sentences, a line each. */
  readonly remedy?: string;
}

export interface Finding extends Outcome {
  /** For programs; it does not change. */
  readonly id: string;
  readonly title: string;
}

export const ok = (sentence: string): Outcome => ({ state: 'ok', sentence });
export const failed = (sentence: string, remedy: string): Outcome => ({ state: 'failed', sentence, remedy });
export const skipped = (sentence: string): Outcome => ({ state: 'skipped', sentence });

/** @param what has to be right first */
export const notReached = (what: string): Outcome => skipped(`not reached: first ${what}`);
