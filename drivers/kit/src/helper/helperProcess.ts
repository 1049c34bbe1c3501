/** One process of a helper, from its start to its end. */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { deferred, streamLines } from '@platen/core/driver';
import { messageOf, settledWithin, startChild, type ScanError } from '@platen/core/plugin';
import { platform } from '../platform.js';
import { type Frame, readFrames } from '../frames/frames.js';
import { HelperFailure, type HelperFailureFacts } from './helperFailure.js';
import type { HelperOptions } from './helperTypes.js';
import { markOfService } from './leftovers.js';
import { openStdoutSocket, type StdoutSocket } from './stdoutSocket.js';

/** The version of the protocol; the C header has the same number. */
const protocol = 1;

/** How long to wait for the last frames of an ended process, ms: a program that it left behind may keep its output open. */
const drainMs = 1_000;

export interface HelperProcess {
  /** Resolves at its hello. Rejects with the ScanError that `broken` gets. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended and `broken` was called, unless it ended on request. Never rejects. */
  readonly gone: Promise<void>;
  send(line: string): void;
  kill(why: ScanError): void;
  /** Ends its stdin, and kills it after `exitMs`. A wait for its hello rejects with the error. */
  leave(why: ScanError): void;
}

export interface HelperEvents {
  place(header: Frame['header'], length: number): Uint8Array | undefined;
  /** Called with each frame after the hello; its promise is awaited. An error thrown means that the frame is invalid. */
  frame(frame: Frame): void | Promise<void>;
  /** Called once, as soon as it is known; no frame follows. After a crash, the frames sent before it were delivered. */
  broken(why: ScanError): void;
}

export function startHelper(options: HelperOptions, events: HelperEvents): HelperProcess {
  let program: HelperProcess | undefined;
  let givenUp: ScanError | undefined; // before the process started
  const begun = openStdoutSocket().then(stdout => {
    if (options.refused !== undefined && !givenUp) {
      giveUp(new HelperFailure(options.name, options.refused, { isMissing: true, isExplained: true }));
      options.log.warn(messageOf(givenUp));
    }
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
  const fault = (sentence: string, facts: HelperFailureFacts = {}) => new HelperFailure(name, sentence, facts);
  const isExplained = options.repair !== undefined;
  const repair = isExplained ? `. ${options.repair}` : '';
  let alive = true;
  let greeted = false;
  let leaving = false;
  let failure: ScanError | undefined;
  let frames = 0;
  let busy = false; // handling a frame
  const { promise: ready, resolve: welcome, reject: refuse } = deferred<void>();
  ready.catch(() => undefined);

  const child = startChild({
    command: options.command,
    args: options.args ?? [],
    env: { ...(options.env ?? process.env), ...markOfService() },
    stdio: ['pipe', stdout?.childEnd ?? 'pipe', 'pipe'],
    // Otherwise Windows ends it together with a killed service and leaves the scanner open.
    detached: platform === 'win32',
  });
  const ended = child.ended.then(({ sentence }) => sentence);
  stdout?.childEnd.destroy(); // the program has its own copy by now
  if (child.process?.pid === undefined) {
    destroy(stdout);
    const gone = ended.then(why => fail(fault(`${why}${repair}`, { isMissing: true, isExplained })));
    return { ready, gone, send: () => undefined, kill: fail, leave: refuse };
  }
  // A helper with the C header leads its own process group, because backends fork. Any other is killed alone.
  const program = child.process as Program;
  const written = stdout?.chunks ?? program.stdout!;
  const lines = streamLines(program.stderr, line => log.debug(`${name}: ${line}`));
  const starting = setTimeout(() => fail(fault(`did not say hello within ${startMs} ms and was killed`)), startMs);

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
    if (typeof hello !== 'object' || hello === null) throw new Error('it is not a hello');
    if (hello.protocol !== protocol) {
      const found = `speaks protocol ${String(hello.protocol)}, and this version of Platen speaks ${protocol}`;
      fail(fault(`${found}${repair}`, { isExplained }));
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
      fail(fault(`sent an invalid frame (${messageOf(error)}) and was killed`));
    }
  }

  /** A program that closed its output can no longer answer, even if it keeps running. */
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
    fail(greeted ? fault(how) : fault(`${how} before it said hello${last}`, { isMissing: true }));
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
