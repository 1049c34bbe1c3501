/** The file that the simulated sources read for every request: paper, faults and quirks, as lines `key=value`. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export type SourceState = Record<string, string>;

export function readState(file: string): SourceState {
  const lines = readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter(line => line.includes('='));
  return Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** Undefined removes a key. The file is replaced atomically. */
export function writeState(file: string, changes: Readonly<Record<string, string | number | undefined>>): void {
  const state: Record<string, unknown> = { ...readState(file), ...changes };
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(
    fresh,
    Object.entries(state)
      .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${String(value)}\n`]))
      .join(''),
  );
  renameSync(fresh, file);
}

/** The state of one of several sources. */
export function stateFileOf(file: string, product: string): string {
  return `${file}-${product}`;
}
