/** What a helper is to its driver: how it is set up, and how it is called. */
import type { Log } from '@platen/core/plugin';
import type { Frame, FrameLimits } from '../frames/frames.js';

export interface HelperOptions {
  /** For messages and the log: `sane`. */
  readonly name: string;
  /** The program's absolute path; `helperPath` gives that of one built by `platen-build-native`. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment of the program; absent: the service's own. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gets what the program writes to stderr, line by line (debug), and how it ended (warn). */
  readonly log: Log;
  /** The program says hello within; 10 000. */
  readonly startMs?: number;
  /** From the end of its stdin until it is killed; 2 000. */
  readonly exitMs?: number;
  readonly limits?: Partial<FrameLimits>;
  /** What to do where the program is missing, a sentence: `npm run build:native in drivers/sane builds it.` */
  readonly repair?: string;
}

export interface HelperCall {
  /** For so long no frame of this call: the program hangs, is killed, and the call rejects with `timeout`. Time in `onMore` does not count. */
  readonly deadlineMs: number;
  /** Rejects the call with its reason at once. The program goes on: the driver sends it `cancel`, or kills it. */
  readonly signal?: AbortSignal;
  /** Only in the process with this number: without it, no other is started, and the call rejects with `driver-failed`. */
  readonly generation?: number;
  /** Where the data of this call's frames goes, as in `readFrames`. */
  readonly place?: (header: Frame['header'], length: number) => Uint8Array | undefined;
  /** Each frame with `more`, in order. While its promise is pending nothing is read from the program, for any call. What it throws rejects the call. */
  readonly onMore?: (frame: Frame) => void | Promise<void>;
}

export interface Helper {
  /**
   * Sends a request and resolves with the last frame of its answer. Starts the program when none runs.
   * @throws HelperError for an answer with `error`
   * @throws ScanError `driver-failed` after a crash, garbage or a failed start; `timeout` after a hang, when the program was killed
   */
  call(verb: string, args: object, options: HelperCall): Promise<Frame>;
  /** Counts the processes started: what was opened in an earlier one is gone. 0 before the first. */
  readonly generation: number;
  /** Calls back whenever a process has ended, for whatever reason. Returns what ends the subscription. */
  onExit(listener: () => void): () => void;
  /** Kills the process at once; calls under way reject with `driver-failed` and the reason. The next call starts another one. */
  kill(reason: string): void;
  /** Orderly: ends stdin, waits `exitMs`, kills. Idempotent; calls under way and later ones reject. Resolves when the process is gone. */
  close(): Promise<void>;
}
