/**
 * The log, on standard error and in its file: readable on a terminal, else JSON; never the contents of a request or a
 * page.
 */
import type { Log } from '@platen/core';
import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import type { LogLevel } from '../config/schema.js';
import { readable } from './logLine.js';
import { printable, printableLines } from '../printable.js';

const STDERR = 2;

/** @param to receives the lines; absent: standard error */
export function createLogger(level: LogLevel, to: DestinationStream = standardError()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serialised },
      hooks: { logMethod: onlyPrintable },
    },
    to,
  );
}

/** Applies to all lines, including fastify's own, which may contain an error's sentence. */
const onlyPrintable: NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> = function (
  this: Logger,
  given,
  method,
) {
  method.apply(this, given.map(each => (typeof each === 'string' ? printable(each) : each)) as typeof given);
};

function serialised(error: Error): object {
  const { message, stack, ...rest } = pino.stdSerializers.err(error);
  return { ...rest, message: printable(String(message)), stack: printableLines(String(stack)) };
}

/**
 * Writes synchronously, because the last lines before a crash matter most.
 * @param forPeople whether the lines are readable; absent: on a terminal
 */
export function standardError(forPeople: boolean = process.stderr.isTTY): DestinationStream {
  const to = destination({ dest: STDERR, sync: true });
  if (!forPeople) return to;
  const colored = process.stderr.isTTY && process.stderr.hasColors();
  return { write: line => void to.write(readable(line, colored)) };
}

export interface TwoPlaces extends DestinationStream {
  /** Also gets the lines so far. @param second undefined: there is none */
  attach(second: DestinationStream | undefined): void;
}

/** The lines of a log that begins before its second place is known. Call `attach` soon: until then, all are kept. */
export function twoPlaces(first: DestinationStream): TwoPlaces {
  const early: string[] = [];
  let second: DestinationStream | undefined = { write: line => void early.push(line) };
  return {
    write(line) {
      first.write(line);
      second?.write(line);
    },
    attach(to) {
      second = to;
      for (const line of early.splice(0)) to?.write(line);
    },
  };
}

/** The log of one part of the service or of one plugin. Its functions need no `this`. */
export function logFor(logger: Logger, part: string): Log {
  const child = logger.child({ part });
  return {
    debug: message => child.debug(message),
    info: message => child.info(message),
    warn: message => child.warn(message),
    error: message => child.error(message),
  };
}

/** The log of a part for errors with their stack. */
export function failureLog(logger: Logger, part: string): (message: string, error?: Error) => void {
  const child = logger.child({ part });
  return (message, error) => (error ? child.error({ err: error }, message) : child.error(message));
}
