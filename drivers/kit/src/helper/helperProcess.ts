/** One process of a helper, from its start to its end, whichever way that comes. */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { deferred, messageOf, settledWithin, startChild, streamLines, type ScanError } from '@platen/core/plugin';
import { platform } from '../platform.js';
import { type Frame, readFrames } from '../frames/frames.js';
import { HelperFailure } from './helperFailure.js';
import type { HelperOptions } from './helperTypes.js';
import { markOfService } from './leftovers.js';
import { openStdoutSocket, type StdoutSocket } from './stdoutSocket.js';

/** What requests and frames mean to both ends; the C header says the same number. */
const protocol = 1;

/** How long the last frames of a process that has ended may take to arrive: a program that it left behind may hold its output open. */
const drainMs = 1_000;

export interface HelperProcess {
  /** It said hello. Rejects with the ScanError that `broken` gets. */
  readonly ready: Promise<void>;
  /** The process is no more and `broken` was told, unless it left as it was asked to. Never rejects. */
  readonly gone: Promise<void>;
  send(line: string): void;
  kill(why: ScanError): void;
  /** Ends its stdin, and kills it after `exitMs`. Who still waits for its hello gets the error. */
  leave(why: ScanError): void;
}

export interface HelperEvents {
  place(header: Frame['header'], length: number): Uint8Array | undefined;
  /** A frame after the hello. Its promise is waited for; what it throws is the program's fault. */
  frame(frame: Frame): void | Promise<void>;
  /** Once, as soon as it is known: no frame follows. After a crash, the frames sent before it were delivered. */
  broken(why: ScanError): void;
}

export function startHelper(options: HelperOptions, events: HelperEvents): HelperProcess {
  let program: HelperProcess | undefined;
  let givenUp: ScanError | undefined; // before there was a process
  const begun = openStdoutSocket().then(stdout => {
    if (!givenUp) return (program = run(options, events, stdout));
    destroy(stdout);
    throw givenUp;
  });
  const ready = begun.then(({ ready: hello }) => hello);
  ready.catch(() => undefined);
  function giveUp(why: ScanError): void {
    if (givenUp) return;
    givenUp = why;
    events.broken(why);
  }
  return {
    ready,
    gone: begun.then(
      ({ gone }) => gone,
      () => undefined,
    ),
    send: line => program?.send(line),
    kill: why => (program ? program.kill(why) : giveUp(why)),
    leave: why => (program ? program.leave(why) : giveUp(why)),
  };
}

function run(options: HelperOptions, events: HelperEvents, stdout: StdoutSocket | undefined): HelperProcess {
  const { name, log, startMs = 10_000, exitMs = 2_000 } = options;
  const fault = (sentence: string, isMissing = false) => new HelperFailure(name, sentence, { isMissing });
  const repair = options.repair ? `. ${options.repair}` : '';
  let alive = true;
  let greeted = false;
  let leaving = false;
  let failure: ScanError | undefined;
  let frames = 0;
  let busy = false; // with a frame
  const { promise: ready, resolve: welcome, reject: refuse } = deferred<void>();
  ready.catch(() => undefined);

  const child = startChild({
    command: options.command,
    args: options.args ?? [],
    env: { ...(options.env ?? process.env), ...markOfService() },
    stdio: ['pipe', stdout?.childEnd ?? 'pipe', 'pipe'],
    // Windows would end it together with a service that is killed: a scanner would be left open.
    detached: platform === 'win32',
  });
  const ended = child.ended.then(({ sentence }) => sentence);
  stdout?.childEnd.destroy(); // the program has its own by now
  if (child.process?.pid === undefined) {
    destroy(stdout);
    const gone = ended.then(why => fail(fault(`${why}${repair}`, true)));
    return { ready, gone, send: () => undefined, kill: fail, leave: refuse };
  }
  // One with the C header leads a group of its own, for backends fork. Any other goes alone.
  const program = child.process as Program;
  const written = stdout?.chunks ?? program.stdout!;
  const lines = streamLines(program.stderr, line => log.debug(`${name}: ${line}`));
  const starting = setTimeout(() => fail(fault(`said no hello within ${startMs} ms and was killed`)), startMs);

  function fail(why: ScanError): void {
    if (failure) return;
    failure = why;
    if (alive) child.kill();
    if (!leaving) log.warn(why.message);
    refuse(why);
    events.broken(why);
  }

  async function read(): Promise<void> {
    for await (const frame of readFrames(written, { limits: options.limits, place: events.place })) {
      if (failure) return;
      frames++;
      busy = true;
      await (greeted ? events.frame(frame) : greet(frame));
      busy = false;
    }
  }

  function greet({ header }: Frame): void {
    const hello = header['hello'] as { protocol?: unknown } | null | undefined;
    if (typeof hello !== 'object' || hello === null) throw new Error('it is no hello');
    if (hello.protocol !== protocol) {
      fail(fault(`speaks protocol ${String(hello.protocol)}, and this version of Platen speaks ${protocol}${repair}`));
      return;
    }
    greeted = true;
    clearTimeout(starting);
    welcome();
  }

  async function reading(): Promise<void> {
    try {
      await read();
    } catch (error) {
      fail(fault(`sent a frame that cannot be taken (${messageOf(error)}) and was killed`));
    }
  }

  /** A program that closed its output can answer nothing any more, even if it lives on. */
  async function silent(): Promise<void> {
    await output;
    if (!(await settledWithin(ended, exitMs))) fail(fault('closed its output and was killed'));
  }

  async function untilGone(): Promise<void> {
    const how = await ended;
    alive = false;
    clearTimeout(starting);
    for (let seen = frames; !(await settledWithin(output, drainMs)) && (busy || seen !== frames);) seen = frames;
    await settledWithin(lines.ended, drainMs);
    if (leaving) log.debug(`the helper "${name}" ${how}`);
    const last = lines.last ? `: ${lines.last}` : '';
    fail(greeted ? fault(how) : fault(`${how} before it said hello${last}`, true));
    stdout?.destroy();
    program.stdout?.destroy();
    program.stderr.destroy();
  }

  const output = reading();
  void silent();
  return {
    ready,
    gone: untilGone(),
    send: line => void program.stdin.write(line),
    kill: fail,
    leave(why) {
      leaving = true;
      refuse(why);
      void child.leave(exitMs).then(inTime => inTime || fail(fault(`did not end within ${exitMs} ms and was killed`)));
    },
  };
}

type Program = ChildProcessByStdio<Writable, Readable | null, Readable>;

function destroy(stdout: StdoutSocket | undefined): void {
  stdout?.childEnd.destroy();
  stdout?.destroy();
}
