/** The last lines of the log file, for people; what plugins of others wrote is left out: only their authors know it. */
import { readFile } from 'node:fs/promises';
import { systemCode } from '../../machine/configError.js';
import { logFilesIn } from '../../machine/log/logFile.js';
import { removed } from './redacted.js';

const MOST_LINES = 300;

interface Line {
  readonly level?: number;
  readonly time?: string;
  readonly part?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

const levels: Readonly<Record<number, string>> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR' };

/** @returns why there are none, if there are none */
export async function lastLines(dataDir: string): Promise<string[]> {
  const lines: string[] = [];
  try {
    for (const file of logFilesIn(dataDir).reverse()) {
      const of = (await readFile(file, 'utf8')).split('\n').filter(line => line !== '');
      lines.unshift(...of.slice(-(MOST_LINES - lines.length)));
      if (lines.length >= MOST_LINES) break;
    }
  } catch (error) {
    const code = systemCode(error);
    return [code === 'ENOENT' ? 'There is no log file.' : `The log file cannot be read (${code ?? String(error)}).`];
  }
  return lines.length === 0 ? ['There is no log file.'] : lines.flatMap(forPeople);
}

function forPeople(json: string): string[] {
  let line: Line;
  try {
    line = JSON.parse(json) as Line;
  } catch {
    return [removed(json)];
  }
  const { level = 0, time = '', part, msg = '', err } = line;
  const isOurs = part === undefined || part === 'service' || part.startsWith('@platen/');
  const whose = part === undefined ? '' : `${part}: `;
  const stack = (err?.stack ?? err?.message ?? '').split('\n').filter(each => each !== '');
  return [
    `${time} ${levels[level] ?? level} ${whose}${isOurs ? msg : removed(msg)}`,
    ...stack.filter(each => isOurs || /^\s+at /.test(each)).map(each => `    ${each.trim()}`),
  ];
}
