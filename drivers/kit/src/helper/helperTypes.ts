/** A helper as its driver sees it: its options and its calls. */
import type { Log } from '@platen/core/plugin';
import type { Frame, FrameLimits } from '../frames/frames.js';

export interface HelperOptions {
  /** For messages and the log: `sane`. */
  readonly name: string;
  /** The program's absolute path; `helperProgram` returns the one of a driver's package. */
  readonly command: string;
  /** Why the program must not be started, with the fix: words that follow the helper's name. */
  readonly refused?: string;
  readonly args?: readonly string[];
  /** The program's whole environment; absent: the service's own. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gets what the program writes to stderr, line by line (debug), and how it ended (warn). */
  readonly log: Log;
  /** Time limit for the program's hello; default 10 000. */
  readonly startMs?: number;
  /** From the end of its stdin until it is killed; default 2 000. */
  readonly exitMs?: number;
  readonly limits?: Partial<FrameLimits>;
  /** How to fix a missing program: `Install @platen/driver-sane again.` */
  readonly repair?: string;
  /** What `platen trace` may record of its messages. Absent: numbers, and aliases in place of texts. */
  readonly trace?: HelperTrace;
}

/** Of pixels, only their length is ever recorded. */
export interface HelperTrace {
  /** Verbs whose data is JSON. */
  readonly json?: readonly string[];
  /**
   * By verb: the keys of requests and answers whose texts are words of the protocol, the same for everyone who has such
   * a device, as `unit`. Not the device's name, address or serial number.
   */
  readonly words?: Readonly<Record<string, readonly string[]>>;
}

export interface HelperCall {
  /**
   * If no frame of this call arrives for this long, the program hangs: it is killed, and the call rejects with `timeout`.
   * Time in `onMore` does not count.
   */
  readonly deadlineMs: number;
  /** Rejects the call with its reason at once. The program continues: the driver sends it `cancel`, or kills it. */
  readonly signal?: AbortSignal;
  /** Call only the process with this number. If it is gone, no other is started, and the call rejects with `driver-failed`. */
  readonly generation?: number;
  /** The destination of the data of this call's frames, as in `readFrames`. */
  readonly place?: (header: Frame['header'], length: number) => Uint8Array | undefined;
  /**
   * Called with each frame with `more`, in order. While its promise is pending, nothing is read from the program, for any
   * call. An error that it throws rejects the call.
   */
  readonly onMore?: (frame: Frame) => void | Promise<void>;
}

export interface Helper {
  /**
   * Sends a request and resolves with the last frame of its answer. Starts the program if none runs.
   * @throws HelperError for an answer with `error`
   * @throws ScanError `driver-failed` after a crash, garbage or a failed start; `timeout` after a hang, for which the program was killed
   */
  call(verb: string, args: object, options: HelperCall): Promise<Frame>;
  /** The number of processes started; 0 before the first. Devices opened in an earlier process are no longer open. */
  readonly generation: number;
  /** Calls back whenever a process has ended, for any reason. Returns a function that ends the subscription. */
  onExit(listener: () => void): () => void;
  /** Kills the process at once; pending calls reject with `driver-failed` and the reason. The next call starts another. */
  kill(reason: string): void;
  /** Ends stdin, waits `exitMs`, then kills. Idempotent; pending and later calls reject. Resolves when the process is gone. */
  close(): Promise<void>;
}
