/** A line of the log for people: the time, the level, the part and the message, then an error's stack. */
import { styleText } from 'node:util';

/** By pino's numbers. */
const levels = {
  10: { word: 'TRACE', style: 'gray' },
  20: { word: 'DEBUG', style: 'blue' },
  30: { word: 'INFO', style: 'green' },
  40: { word: 'WARN', style: 'yellow' },
  50: { word: 'ERROR', style: 'red' },
  60: { word: 'FATAL', style: 'bgRed' },
} as const;

interface Entry {
  readonly level: keyof typeof levels;
  readonly time: string;
  readonly msg?: string;
  readonly part?: string;
  readonly reqId?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/**
 * @param json a line as pino writes it
 * @returns lines with a line feed at the end; fields that have no place of their own follow as JSON
 */
export function readable(json: string, colored: boolean): string {
  const { level, time, msg, part, reqId: _, err, ...others } = JSON.parse(json) as Entry;
  const { word, style } = levels[level];
  const clock = new Date(time).toLocaleTimeString('en-GB');
  const lines = [
    `[${clock}] ${colored ? styleText(style, word, { validateStream: false }) : word}: ${part === undefined ? '' : `${part}: `}${msg ?? ''}`,
    ...(err?.stack ?? err?.message ?? '').split('\n').filter(line => line !== ''),
    ...(Object.keys(others).length > 0 ? [JSON.stringify(others)] : []),
  ];
  return `${lines.join('\n    ')}\n`;
}
