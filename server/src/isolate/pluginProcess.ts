/** One process of an isolated plugin, from its start to its end, whichever way that comes. */
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LOAD_DEADLINE_MS, startChild, streamLines, type Clock, type Log, type PluginReport } from '@platen/core';
import { platform } from '../config/platform.js';
import { LINK_FD, readSaid, type SetUp } from './messages.js';

/** The loader in the process has its own deadlines: this one is for a process that cannot keep them. */
export const START_MS = LOAD_DEADLINE_MS + 10_000;
/** From the end of its standard input until it is killed. */
const EXIT_MS = 6000;

export interface PluginProcess {
  readonly pid: number | undefined;
  /** What its loader says, and the id of the driver that it serves. @throws Error with what `gone` says, where it ends before */
  readonly loaded: Promise<{ readonly report: PluginReport; readonly driver: string }>;
  /** Where it serves its driver. */
  readonly stream: Duplex;
  /** When it is no more, with how that came, to follow "it": `was ended by SIGSEGV`. Never rejects. */
  readonly gone: Promise<string>;
  /** At once, with all that it started. @param why as in `gone` */
  kill(why: string): void;
  /** Lets it end by itself, and kills it where it does not. */
  leave(): void;
}

export interface PluginProcessOptions {
  readonly setUp: SetUp;
  /** Gets what the plugin logs, and, as debug, what it prints. */
  readonly log: Log;
  readonly clock: Clock;
  /** The program that Node runs. */
  readonly program?: string;
}

const child = fileURLToPath(new URL('./child.js', import.meta.url));

/** @throws Error where the system starts no process */
export function startProcess({ setUp, log, clock, program = child }: PluginProcessOptions): PluginProcess {
  const running = startChild({
    command: process.execPath,
    args: [program, setUp.entry.use],
    // The lifeline, what it prints (twice), the link, and the messages.
    stdio: ['pipe', 'pipe', 'pipe', 'overlapped', 'ipc'],
    serialization: 'advanced',
    // A group of its own, to be killed with all that it starts.
    detached: platform !== 'win32',
  });
  let why: string | undefined;
  const kill = (words: string): void => {
    why ??= words;
    running.kill();
  };

  const gone = running.ended.then(({ sentence }) => why ?? sentence);
  const own = running.process;
  const stream = own?.stdio?.[LINK_FD] as unknown as Duplex | undefined;
  if (!own || !stream) throw new Error('it could not be started: the system has no more descriptors');
  stream.on('error', () => undefined); // the end of the process says why
  for (const printed of [own.stdout, own.stderr]) streamLines(printed as Readable, line => log.debug(line));

  const cancelStart = clock.after(START_MS, () => kill(`was not there after ${START_MS / 1000} s, and was killed`));
  const loaded = new Promise<{ report: PluginReport; driver: string }>((resolve, reject) => {
    own.on('message', message => {
      const said = readSaid(message);
      if (!said) return;
      if ('log' in said) log[said.log](said.message);
      else if ('fatal' in said) why ??= said.fatal;
      else {
        cancelStart();
        resolve(said);
      }
    });
    void gone.then(how => {
      cancelStart();
      reject(new Error(`it ${how}`));
    });
  });
  loaded.catch(() => undefined);
  own.send(setUp, error => error && kill(`could not be spoken to: ${error.message}`));

  return {
    pid: own.pid,
    loaded,
    stream,
    gone,
    kill,
    leave() {
      why ??= 'was let go';
      void running.leave(EXIT_MS, clock);
      if (own.connected) own.disconnect();
    },
  };
}
