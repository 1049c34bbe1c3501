/** The runs of test/spec/scanners.ts, which are named as if each were a file: `test/dist/spec/virtual/autoscan`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scanners, type Scanners } from '../spec/scanners.js';

const program = 'test/dist/spec/run.js';

/** @returns their names, where the clone has them */
export const specRuns = (root: string): string[] => namesOf(root, ({ runs }) => Object.keys(runs));

/** @returns names of the single sections of these runs, for whoever wants only one */
export const specSections = (root: string): string[] => namesOf(root, ({ runs }) => Object.values(runs).flat());

function namesOf(root: string, of: (row: Scanners) => readonly string[]): string[] {
  if (!existsSync(join(root, program))) return [];
  return Object.entries<Scanners>(scanners).flatMap(([name, row]) =>
    of(row).map(each => `test/dist/spec/${name}/${each}`),
  );
}

/** @returns what Node runs for a compiled test, for a run or a section */
export function commandOf(file: string): string[] {
  const [, name, run] = /^test\/dist\/spec\/(\w+)\/(\w+(?:\.long)?)$/.exec(file) ?? [];
  return name && run ? [program, name, run] : [file];
}
