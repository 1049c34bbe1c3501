/** A native helper under supervision: started when needed, killed when it hangs, replaced after a crash. */
import { ScanError, settledWithin, unlessAborted, type Log } from '@platen/core/plugin';
import type { Frame, FrameLimits } from '../frames/frames.js';
import { helperCalls, type HelperCalls } from './helperCalls.js';
import { type HelperProcess, startHelper } from './helperProcess.js';

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

interface Running {
  readonly program: HelperProcess;
  readonly calls: HelperCalls;
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

export function createHelper(options: HelperOptions): Helper {
  const { name, log, exitMs = 2_000 } = options;
  const listeners = new Set<() => void>();
  let generation = 0;
  let current: Running | undefined;
  let ending: Promise<void> | undefined; // of the last process, until it is gone
  let closing: Promise<void> | undefined;

  const fault = (sentence: string): ScanError => new ScanError('driver-failed', `the helper "${name}" ${sentence}`);

  function start(): Running {
    const calls = helperCalls(name, sentence => started.program.kill(new ScanError('driver-failed', sentence)));
    const program = startHelper(options, {
      place: calls.place,
      frame: calls.take,
      broken(why) {
        if (current === started) current = undefined;
        calls.end(why);
      },
    });
    const started = { program, calls };
    const gone = program.gone.then(() => {
      if (ending === gone) ending = undefined;
      for (const listener of listeners) listener();
    });
    ending = gone;
    generation++;
    return started;
  }

  /** Never two at a time: the scanner that a dying process still holds would be busy. */
  async function running(): Promise<Running> {
    while (!current && ending) await patience(ending);
    if (closing) throw fault('is closed');
    const mine = current ??= start();
    await mine.program.ready;
    return mine;
  }

  /** A process in the kernel's hands cannot be killed; the next one may find its device free none the less. */
  async function patience(end: Promise<void>): Promise<void> {
    if (await settledWithin(end, exitMs) || ending !== end) return;
    ending = undefined;
    log.warn(`the helper "${name}" was killed and does not end: going on without it`);
  }

  async function close(): Promise<void> {
    const end = ending;
    current?.program.leave(fault('is closed'));
    current?.calls.end(fault('is closed'));
    if (end && !await settledWithin(end, exitMs)) await patience(end);
  }

  return {
    async call(verb, args, call) {
      if (closing) throw fault('is closed');
      call.signal?.throwIfAborted();
      if (call.generation !== undefined && (call.generation !== generation || !current)) throw fault('is no longer the one that was asked');
      const { program, calls } = await unlessAborted(running(), call.signal);
      const { id, answer } = calls.begin(verb, call);
      program.send(`${JSON.stringify({ id, verb, args })}\n`);
      return answer;
    },
    get generation() {
      return generation;
    },
    onExit(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    kill(reason) {
      current?.program.kill(fault(`was killed: ${reason}`));
    },
    close: () => closing ??= close(),
  };
}
