/** What the scanner is doing now: one job at a time, how far it is, and whether the service answers. */
import type { Context } from '../context.js';
import type { JobKind } from '../elementTypes.js';
import type { Notices } from '../messages/notices.js';

export interface Activity {
  readonly kind: JobKind;
  readonly scanner: string;
  /** Pages that were there before: it goes on with an earlier scan. */
  readonly before: number;
  /** Pages finished so far. */
  readonly count: number;
  /** Pages that the scanner delivered, if known. */
  readonly scanned: number;
  /** Whether the service answers. */
  readonly isConnected: boolean;
  /** It was asked to end; the scanner finishes the current sheet first. */
  readonly isEnding: boolean;
}

export interface ActivityParts {
  readonly context: Context;
  readonly notices: Notices;
  /** The service may have gone, or is there again. */
  onConnection(): void;
  /** A job failed, before or beside its scan. */
  onFailure(error: unknown): void;
}

export interface RunningJob {
  /** Undefined: no job is running. */
  readonly activity: Activity | undefined;
  /** Does nothing while another one runs. @param work its signal is aborted by `end()` */
  run(
    began: Pick<Activity, 'kind' | 'scanner'> & { readonly before?: number },
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** How far it is. */
  become(change: Partial<Activity>): void;
  connected(is: boolean): void;
  end(): void;
}

export function createRunningJob({ context, notices, onConnection, onFailure }: ActivityParts): RunningJob {
  let running: AbortController | undefined;
  let activity: Activity | undefined;

  function become(change: Partial<Activity>): void {
    if (!activity) return;
    activity = { ...activity, ...change };
    context.changed();
  }

  return {
    get activity() {
      return activity;
    },
    become,
    async run(began, work) {
      if (running) return;
      const own = (running = new AbortController());
      notices.clearOutdated();
      activity = { before: 0, count: 0, scanned: 0, isConnected: true, isEnding: false, ...began };
      context.changed();
      own.signal.addEventListener('abort', () => become({ isEnding: true }));
      try {
        await work(own.signal);
      } catch (error) {
        onFailure(error);
      } finally {
        running = undefined;
        activity = undefined;
        context.changed();
      }
    },
    connected(is) {
      if (activity?.isConnected === is) return;
      become({ isConnected: is });
      onConnection();
      context.announce(context.words(is ? 'job.connected-again' : 'job.reconnecting'));
    },
    end: () => running?.abort(),
  };
}
