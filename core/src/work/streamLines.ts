/** A process's output, line by line; very long lines are split. */
import type { Readable } from 'node:stream';

/** In characters. */
const LONGEST = 4096;

export interface StreamLines {
  /** The last non-blank line, for the message of a failure; undefined before the first. */
  readonly last: string | undefined;
  /** No more lines follow. */
  readonly ended: Promise<void>;
}

export function streamLines(stream: Readable, onLine: (line: string) => void): StreamLines {
  let rest = '';
  let last: string | undefined;
  const say = (line: string): void => {
    if (line.trim() === '') return;
    last = line.trimEnd();
    onLine(last);
  };
  const ended = new Promise<void>(resolve => {
    stream.on('close', () => {
      say(rest);
      resolve();
    });
  });
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(say);
    for (; rest.length >= LONGEST; rest = rest.slice(LONGEST)) say(rest.slice(0, LONGEST));
  });
  stream.on('error', () => undefined);
  return {
    get last() {
      return last;
    },
    ended,
  };
}
