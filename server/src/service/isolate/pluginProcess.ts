/** One process of an isolated plugin, from its start to its end. */
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LOAD_DEADLINE_MS, startChild, streamLines, type Clock, type Log } from '@platen/core';
import { platform } from '../../machine/platform.js';
import { DRIVERS_FD, readMessage, type Answer, type Facet, type Question, type Ready, type SetUp } from './messages.js';

/** The limit for a process whose own loader misses its deadlines. */
export const START_MS = LOAD_DEADLINE_MS + 10_000;
/** From the end of its standard input until the kill. */
const EXIT_MS = 6000;

/** The process did not start, or has ended. */
export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  /** To follow the name of the process: `was ended by SIGSEGV`. */
  readonly how: string;

  constructor(how: string, options?: ErrorOptions) {
    super(`it ${how}`, options);
    this.how = how;
  }
}

export interface PluginProcess {
  readonly pid: number | undefined;
  /** The report of its loader, and what it serves. @throws ProcessError if it ends before */
  readonly loaded: Promise<Ready>;
  /** The stream on which it serves its driver. */
  readonly stream: Duplex;
  /**
   * Calls its plugin. @param argument of `follow`, the event. @param signal nobody waits for the result any more
   * @throws ProcessError if it ends before; Error with the plugin's message
   */
  call(facet: Facet, argument?: unknown, signal?: AbortSignal): Promise<unknown>;
  /**
   * Resolves when it has ended, with the reason, to follow the name of the process: `was ended by SIGSEGV`. Never
   * rejects.
   */
  readonly gone: Promise<string>;
  /** Kills it and all that it started. @param why as in `gone` */
  kill(why: string): void;
  /** Lets it end by itself, and kills it if it does not. */
  leave(): void;
}

export interface PluginProcessOptions {
  readonly setUp: SetUp;
  /** Gets the plugin's log and, at level debug, its output. */
  readonly log: Log;
  readonly clock: Clock;
  /** The program that Node runs. */
  readonly program?: string;
}

const child = fileURLToPath(new URL('./child.js', import.meta.url));

/** @throws ProcessError if the system cannot start a process */
export function startProcess({ setUp, log, clock, program = child }: PluginProcessOptions): PluginProcess {
  const running = startChild({
    command: process.execPath,
    args: [program, setUp.entry.use],
    // Its input for the parent watchdog, stdout and stderr, the stream of its drivers, the messages.
    stdio: ['pipe', 'pipe', 'pipe', 'overlapped', 'ipc'],
    serialization: 'advanced',
    // Its own process group, so that `kill` also ends all that it starts.
    detached: platform !== 'win32',
  });
  let why: string | undefined;
  const kill = (words: string): void => {
    why ??= words;
    running.kill();
  };

  const gone = running.ended.then(({ sentence }) => why ?? sentence);
  const own = running.process;
  const stream = own?.stdio?.[DRIVERS_FD] as unknown as Duplex | undefined;
  if (!own || !stream)
    throw new ProcessError(running.refusal ?? 'could not be started: the system has no free file descriptors');
  stream.on('error', () => undefined); // the end of the process has the reason
  for (const printed of [own.stdout, own.stderr]) streamLines(printed as Readable, line => log.debug(line));

  const cancelStart = clock.after(START_MS, () => kill(`was not ready after ${START_MS / 1000} s and was killed`));
  const waiting = new Map<number, (answer: Answer) => void>();
  let questions = 0;
  const ask = (question: Question): void => void (own.connected && own.send(question, () => undefined));
  const loaded = new Promise<Ready>((resolve, reject) => {
    own.on('message', message => {
      const known = readMessage(message);
      if (!known) return;
      if ('log' in known) log[known.log](known.message);
      else if ('fatal' in known) why ??= known.fatal;
      else if ('answer' in known) waiting.get(known.answer)?.(known);
      else {
        cancelStart();
        resolve(known);
      }
    });
    void gone.then(how => {
      cancelStart();
      reject(new ProcessError(how));
    });
  });
  loaded.catch(() => undefined);
  own.send(setUp, error => error && kill(`could not be reached: ${error.message}`));

  return {
    pid: own.pid,
    loaded,
    stream,
    async call(facet, argument, signal) {
      const number = ++questions;
      const answered = new Promise<Answer>(resolve => waiting.set(number, resolve));
      const giveUp = (): void => ask({ giveUp: number });
      signal?.addEventListener('abort', giveUp);
      try {
        ask({ call: facet, number, argument });
        const answer = await Promise.race([answered, gone]);
        if (typeof answer === 'string') throw new ProcessError(answer);
        if ('fault' in answer) throw new Error(answer.fault);
        return answer.result;
      } finally {
        waiting.delete(number);
        signal?.removeEventListener('abort', giveUp);
      }
    },
    gone,
    kill,
    leave() {
      why ??= 'was let go';
      void running.leave(EXIT_MS, clock);
      if (own.connected) own.disconnect();
    },
  };
}
