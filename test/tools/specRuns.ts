/** The runs of test/spec/scanners.ts, which are named as if each were a file: `test/dist/spec/virtual/autoscan`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scanners } from '../spec/scanners.js';

const program = 'test/dist/spec/run.js';

/** @returns their names, where the clone has them */
export function specRuns(root: string): string[] {
  if (!existsSync(join(root, program))) return [];
  return Object.entries(scanners).flatMap(([name, { runs }]) =>
    Object.keys(runs).map(run => `test/dist/spec/${name}/${run}`),
  );
}

/** @returns what Node runs for a compiled test or for such a name */
export function commandOf(file: string): string[] {
  const [, name, run] = /^test\/dist\/spec\/(\w+)\/(\w+(?:\.long)?)$/.exec(file) ?? [];
  return name && run ? [program, name, run] : [file];
}
