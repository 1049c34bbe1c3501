/**
 * How the process ends: with a code that Platen decided, or with 1 and a sentence that names who ended it.
 *
 * A service manager reads the exit code: 2, 3 and 4 keep it from restarting the service, and 0 is a success. A plugin in
 * this process may call `process.exit` with any of them, or leave an error that nothing catches.
 */
import { writeSync } from 'node:fs';
import { messageOf } from '@platen/core';
import { exitCodes } from './exitCodes.js';
import { foreignPlugins, pluginIn } from './pluginFolders.js';
import { printable, printableLines } from './printable.js';

/** @param error its stack is for the reader who looks for the cause */
export type Report = (sentence: string, error?: Error) => void;

const STDERR = 2;
/** Enough to reach a plugin's frame below those of its dependencies. */
const STACK_FRAMES = 50;

const advice =
  'Set "isolate": true in its entry in the configuration: then only its own process ends, and is started again (for plugins that provide only drivers). Tell its vendor.';

let decided: number | undefined;
let caller: { readonly code: unknown; readonly stack: string | undefined } | undefined;
let report: Report = onStandardError;

/** The exit code of the process from now on, whatever else ends it. */
export function decide(code: number): void {
  decided = code;
  process.exitCode = code;
}

let hangUp: (() => void) | undefined;

/**
 * Has SIGHUP do this instead of ending the process, where no terminal could have hung up.
 * @returns ends it
 */
export function onHangUp(act: () => void): () => void {
  if (process.stdin.isTTY || process.stdout.isTTY) return () => undefined;
  hangUp = act;
  return () => (hangUp = undefined);
}

/** @returns what SIGHUP does; undefined: it ends the process */
export const hangUpAction = (): (() => void) | undefined => hangUp;

/** Ends the process at once. */
export function leave(code: number): never {
  decide(code);
  return process.exit(code);
}

/** @param to receives the sentence about an end that Platen did not decide; absent: standard error */
export function reportEndTo(to: Report = onStandardError): void {
  report = to;
}

/** Call it once, before any code of a plugin is loaded. */
export function watchEnding(): void {
  const exit = process.exit.bind(process);
  process.exit = (code?: number | string | null): never => {
    if (decided === undefined) caller ??= { code, stack: stackHere() };
    return exit(code);
  };
  // `process.exit` ends here, after all listeners of 'exit': lib/internal/process/per_thread.js of Node.
  const ending = process as unknown as { reallyExit: (code?: number) => never };
  const reallyExit = ending.reallyExit.bind(process);
  ending.reallyExit = (code = 0): never => {
    if (decided === undefined) caller ??= { code, stack: stackHere() };
    return reallyExit(conclude(code));
  };
  const onExit = (code: number): void => {
    process.exitCode = conclude(code);
  };
  process.on('exit', onExit);
  // The last listener of 'exit' decides how a process ends that waits for nothing any more: it is this one.
  const stayLast = (event: string | symbol): void => {
    if (event === 'exit') queueMicrotask(() => moveToEnd(onExit));
  };
  process.on('newListener', stayLast);
  process.on('removeListener', stayLast);
  // A rejection that nothing handles arrives here too.
  process.on('uncaughtException', (error: unknown) => {
    report(sentenceOfError(error), error instanceof Error ? error : undefined);
    leave(exitCodes.failure);
  });
}

/** @param code without Platen's decision @returns the process's exit code; an end that Platen did not decide is reported */
function conclude(code: number): number {
  if (decided === undefined) {
    report(sentenceOfExit(code));
    decided = exitCodes.failure;
  }
  return decided;
}

function moveToEnd(onExit: (code: number) => void): void {
  if (process.listeners('exit').at(-1) === onExit) return;
  process.off('exit', onExit);
  process.on('exit', onExit);
}

function sentenceOfExit(code: number): string {
  if (!caller)
    return `Platen ended (code ${code}) before its command was finished: nothing was left to wait for. Report this as a bug in Platen.`;
  const call = `process.exit(${caller.code === undefined || caller.code === null ? '' : String(caller.code)})`;
  const plugin = pluginIn(caller.stack);
  if (plugin !== undefined) return `The plugin "${plugin}" ended the process: it called ${call}. ${advice}`;
  return `The process was ended by a call of ${call}, which is not Platen's own. ${suspects()}${framesOf(caller.stack)}`;
}

function sentenceOfError(error: unknown): string {
  const message = messageOf(error);
  const plugin = pluginIn(error instanceof Error ? error.stack : undefined);
  if (plugin !== undefined)
    return `The plugin "${plugin}" failed with an error that it did not catch, which ends the process: ${message}. ${advice}`;
  return `An error that nothing caught ends the process: ${message}. ${suspects()}`.trimEnd();
}

function suspects(): string {
  const names = foreignPlugins();
  return names.length === 0 ? '' : `Plugins that are not Platen's own run in this process: ${names.join(', ')}. `;
}

const framesOf = (stack = ''): string =>
  `It was called${stack
    .split('\n')
    .slice(0, 3)
    .map(line => ` ${line.trim()}`)
    .join(',')}.`;

/** The stack above the function that calls this one. */
function stackHere(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  return stack?.split('\n').slice(3).join('\n');
}

/** Written at once: the process ends before a stream would. */
function onStandardError(sentence: string, error?: Error): void {
  const stack = error?.stack === undefined ? '' : `${printableLines(error.stack)}\n`;
  try {
    writeSync(STDERR, `platen: ${printable(sentence)}\n${stack}`);
  } catch {
    // Nobody reads it.
  }
}
