/** The pauses before a process is started again: each is longer than the one before, until a process runs well. */
import type { Clock, Log } from '@platen/core';

/** It doubles each time. */
export const FIRST_PAUSE_MS = 1000;
export const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for this long ran well: the next pause is the first one again. */
export const WELL_MS = 60_000;

export interface RestartPauses {
  /** The process keeps ending, and the log has said so. */
  readonly quiet: boolean;
  /** When the next process starts, in words. */
  readonly when: string;
  /** A process runs from now on. Returns a function to call when it has ended. */
  runs(): () => void;
  /** Says in the log how a process ended, and passes the pause. */
  pass(how: string): Promise<void>;
  /** Ends a pause now. */
  end(): void;
}

export interface RestartPausesParts {
  /** The process, in words. */
  readonly its: string;
  readonly clock: Clock;
  readonly log: Log;
}

export function createRestartPauses({ its, clock, log }: RestartPausesParts): RestartPauses {
  let pause = FIRST_PAUSE_MS;
  let quiet = false;
  /** When the pause ends; undefined outside a pause. */
  let due: number | undefined;
  let end = (): void => undefined;

  const say = (how: string): void => {
    const longest = pause === LONGEST_PAUSE_MS;
    const sentence = `${its} ${how}; restarting ${longest ? 'every' : 'in'} ${pause / 1000} s`;
    if (quiet) log.debug(`${sentence}.`);
    else log.warn(`${sentence}${longest ? ', with no further warnings until it is stable' : ''}.`);
    quiet ||= longest;
  };

  return {
    get quiet() {
      return quiet;
    },
    get when() {
      if (due === undefined) return 'restarting now';
      return `restarting in ${Math.max(1, Math.ceil((due - clock.monotonic()) / 1000))} s`;
    },
    runs: () =>
      clock.after(WELL_MS, () => {
        pause = FIRST_PAUSE_MS;
        if (quiet) log.info(`${its} is stable again.`);
        quiet = false;
      }),
    async pass(how) {
      say(how);
      due = clock.monotonic() + pause;
      await new Promise<void>(resolve => {
        const cancel = clock.after(pause, resolve);
        end = () => {
          cancel();
          resolve();
        };
      });
      due = undefined;
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    },
    end: () => end(),
  };
}
