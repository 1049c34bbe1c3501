/** The log, on standard error: readable on a terminal, JSON elsewhere; never what a request or a page says. */
import type { Log } from '@platen/core';
import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config/schema.js';
import { printable, printableLines } from './printable.js';

const STDERR = 2;

/** @param to where lines go; standard error unless told */
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

/** Also what is logged elsewhere than by `logFor`: fastify's own lines, which may have an error's sentence in them. */
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

/** Written at once: the last lines before an end are the ones that matter. */
function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return destination({ dest: STDERR, sync: true });
  return pretty.build({
    destination: STDERR,
    sync: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'reqId,part',
    messageFormat: (line, messageKey) =>
      `${line['part'] === undefined ? '' : `${String(line['part'])}: `}${String(line[messageKey])}`,
  });
}

/** The log of one part of the service or of one plugin. Its functions can be passed on alone. */
export function logFor(logger: Logger, part: string): Log {
  const child = logger.child({ part });
  return {
    debug: message => child.debug(message),
    info: message => child.info(message),
    warn: message => child.warn(message),
    error: message => child.error(message),
  };
}
