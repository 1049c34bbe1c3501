/** One process of an isolated plugin, from its start to its end, whichever way that comes. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LOAD_DEADLINE_MS, messageOf, type Clock, type Log, type PluginReport } from '@platen/core';
import { stderrLines } from '@platen/driver-kit';
import { platform } from '../config/platform.js';
import { killGroup } from './group.js';
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
  const running = spawn(process.execPath, [program, setUp.entry.use], {
    // The lifeline, what it prints (twice), the link, and the messages.
    stdio: ['pipe', 'pipe', 'pipe', 'overlapped', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
    // A group of its own, to be killed with all that it starts.
    detached: platform !== 'win32',
  });
  let why: string | undefined;
  const kill = (words: string): void => {
    why ??= words;
    killTree(running);
  };

  const gone = new Promise<string>(resolve => {
    running.once('error', error => running.pid === undefined && resolve(`could not be started: ${messageOf(error)}`));
    running.once('exit', (code, signal) => {
      killTree(running);
      resolve(why ?? (signal ? `was ended by ${signal}` : `ended with code ${code}`));
    });
  });
  const stream = (running.stdio as ChildProcess['stdio'] | undefined)?.[LINK_FD] as unknown as Duplex | undefined;
  if (!stream) throw new Error('it could not be started: the system has no more descriptors');
  for (const each of [running.stdin, stream]) each!.on('error', () => undefined); // the end of the process says why
  for (const printed of [running.stdout, running.stderr]) stderrLines(printed as Readable, line => log.debug(line));

  const cancelStart = clock.after(START_MS, () => kill(`was not there after ${START_MS / 1000} s, and was killed`));
  const loaded = new Promise<{ report: PluginReport; driver: string }>((resolve, reject) => {
    running.on('message', message => {
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
  running.send(setUp, error => error && kill(`could not be spoken to: ${error.message}`));

  return {
    pid: running.pid,
    loaded,
    stream,
    gone,
    kill,
    leave() {
      why ??= 'was let go';
      running.stdin?.end();
      if (running.connected) running.disconnect();
      const cancel = clock.after(EXIT_MS, () => killTree(running));
      void gone.then(cancel);
    },
  };
}

/** What has ended may have left its group behind; the number may be another process's by then, which `kill` knows. */
function killTree(running: ChildProcess): void {
  if (running.pid !== undefined) void (killGroup(running.pid) || running.kill('SIGKILL'));
}
