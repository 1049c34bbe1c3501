/** What is being saved or printed, one at a time: its progress, and how it is cancelled. */
import { PlatenError } from '../../client/errors.js';
import type { Context } from '../context.js';

export type SavingKind = 'pdf' | 'images' | 'print';

export interface SavingActivity {
  readonly kind: SavingKind;
  /** Pages. */
  readonly total: number;
  /** Pages that are finished; of a PDF, 0. */
  readonly done: number;
  /** Of a PDF, so far. */
  readonly bytes: number;
  cancel(): void;
}

export type Progress = Partial<Pick<SavingActivity, 'done' | 'bytes'>>;

export interface SavingParts {
  readonly context: Context;
  onBegin(): void;
  /** Not for one that was cancelled. */
  onFailure(kind: SavingKind, error: unknown): void;
}

export interface RunningSaving {
  /** Undefined: nothing is being saved. */
  readonly activity: SavingActivity | undefined;
  /** Does nothing while another one runs: a second press is not a second file. @param total pages */
  run(
    kind: SavingKind,
    total: number,
    work: (signal: AbortSignal, progress: (now: Progress) => void) => Promise<void>,
  ): Promise<void>;
}

export function createRunningSaving({ context, onBegin, onFailure }: SavingParts): RunningSaving {
  let activity: SavingActivity | undefined;
  return {
    get activity() {
      return activity;
    },
    async run(kind, total, work) {
      if (activity) return;
      onBegin();
      const stop = new AbortController();
      activity = { kind, total, done: 0, bytes: 0, cancel: () => stop.abort() };
      context.announce(context.words(`save.begun-${kind}`, { count: total }));
      context.changed();
      try {
        await work(stop.signal, now => {
          if (activity) activity = { ...activity, ...now };
          context.changed();
        });
      } catch (error) {
        if (stop.signal.aborted || isCancelled(error)) context.announce(context.words('save.cancelled'));
        else onFailure(kind, error);
      } finally {
        activity = undefined;
        context.changed();
      }
    },
  };
}

const isCancelled = (error: unknown): boolean =>
  (error instanceof PlatenError && error.code === 'cancelled') ||
  (error instanceof DOMException && error.name === 'AbortError');
