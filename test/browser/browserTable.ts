/** The table of docs/browsers.md: what the client finds in each state of each browser. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Engine = 'Chromium' | 'Firefox';

/** The name of the one finding, or `ok`. */
export interface Found {
  readonly ready: string;
  readonly diagnose: string;
}

interface Cell {
  readonly name: string;
  /** No test can bring the browser into this state. */
  readonly isUntested: boolean;
}

const file = fileURLToPath(new URL('../../../docs/browsers.md', import.meta.url));
const [, section = ''] = readFileSync(file, 'utf8').split('## What `diagnose()` and `ready()` find\n');
const rows = section
  .split('\n## ')[0]!
  .split('\n')
  .filter(line => line.startsWith('|'))
  .map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
const [heads = [], , ...states] = rows;

function cellOf(row: readonly string[], engine: Engine, call: keyof Found): Cell {
  const text = row[heads.indexOf(`${engine}: \`${call}()\``)] ?? '';
  const [, name, mark] = /^(?:`([\w-]+)`( †)?|–)$/.exec(text) ?? [undefined, text];
  if (name === text) throw new Error(`docs/browsers.md: "${text}" is no finding`);
  return { name: name ?? 'none', isUntested: name === undefined || mark !== undefined };
}

/** What the document says. @throws if it has no such state */
export function documented(engine: Engine, state: string): Found {
  const row = states.find(([name]) => name === state);
  if (!row) throw new Error(`docs/browsers.md has no state "${state}"`);
  return { ready: cellOf(row, engine, 'ready').name, diagnose: cellOf(row, engine, 'diagnose').name };
}

/** Calls that a test has to make: `state: call`. */
export const tested = (engine: Engine): string[] =>
  states.flatMap(row =>
    (['ready', 'diagnose'] as const)
      .filter(call => !cellOf(row, engine, call).isUntested)
      .map(call => `${row[0]}: ${call}`),
  );
