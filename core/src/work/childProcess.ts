/** A supervised child process: how it ended, as a sentence, and killing it together with its process group. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { messageOf } from '../contract/errors.js';
import type { Clock } from '../time/clock.js';
import { deferred, settledWithin } from '../time/wait.js';

export interface ChildOptions extends SpawnOptions {
  readonly command: string;
  readonly args?: readonly string[];
}

export interface ChildEnd {
  /**
   * To follow the process's name: `was ended by SIGSEGV`, `ended with code 3`, `cannot be started: there is no program
   * x`.
   */
  readonly sentence: string;
  readonly code?: number | null;
  readonly signal?: NodeJS.Signals | null;
  /** It could not be started, or its `signal` was aborted. */
  readonly error?: Error;
}

export interface Child {
  /**
   * Has no `pid` if there is no such program, and no streams without descriptors; undefined if the system rejects the
   * call. `ended` gives the reason.
   */
  readonly process: ChildProcess | undefined;
  /** If it is known at once that the process did not start: the sentence that `ended` will have. */
  readonly refusal: string | undefined;
  /**
   * Resolves when the process has ended or could not start. Never rejects. The rest of its group has been killed by
   * then.
   */
  readonly ended: Promise<ChildEnd>;
  /** Kills it at once, with its whole group if it leads one. */
  kill(): void;
  /** Ends its standard input, and kills it after `ms` milliseconds. @returns whether it ended by itself */
  leave(ms: number, clock?: Clock): Promise<boolean>;
}

/** Never throws: errors at the start are in `ended`. */
export function startChild({ command, args = [], ...options }: ChildOptions): Child {
  const { promise: ended, resolve: end } = deferred<ChildEnd>();
  let refusal: string | undefined;
  const refused = (cause: unknown): void => {
    const error = cause instanceof Error ? cause : new Error(messageOf(cause));
    const why = 'code' in error && error.code === 'ENOENT' ? `there is no program ${command}` : error.message;
    refusal = `cannot be started: ${why}`;
    end({ sentence: refusal, error });
  };
  const child = spawned();
  const kill = (): void => {
    if (child?.pid !== undefined && !killGroup(child.pid)) child.kill('SIGKILL');
  };

  function spawned(): ChildProcess | undefined {
    try {
      const process = spawn(command, args, { windowsHide: true, ...options });
      let failure: { readonly error?: Error } = {};
      process.on('error', error => {
        failure = { error };
        if (process.pid === undefined) refused(error);
      });
      // `ended` reports why writing failed.
      (process as Partial<ChildProcess>).stdin?.on('error', () => undefined);
      process.on('exit', (code, signal) => {
        kill();
        end({ sentence: signal ? `was ended by ${signal}` : `ended with code ${code}`, code, signal, ...failure });
      });
      return process;
    } catch (error) {
      refused(error);
      return undefined;
    }
  }

  return {
    process: child,
    refusal,
    ended,
    kill,
    async leave(ms, clock) {
      child?.stdin?.end();
      const inTime = await settledWithin(ended, ms, clock);
      if (!inTime) kill();
      return inTime;
    },
  };
}

/**
 * Kills a process group.
 * @returns false if there is no such group: it ended, the process leads none, or this is Windows, which has none
 */
export function killGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGKILL');
  } catch {
    return false;
  }
}
