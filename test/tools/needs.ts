/** What a suite says that needs a program of the operating system: without it, it skips on a person's machine and fails in CI. */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** tap's `t`, as far as this needs it. */
export interface NeedyTest {
  /** With a body that never runs: tap's types want one. */
  skip(sentence: string, body: () => void): unknown;
  fail(sentence: string): unknown;
}

/**
 * `if (!needs(t, 'scanimage')) return;`: the program belongs into the table of `.ci/systemPackages.mjs` as well.
 * @param program a path where it is no program of the search path
 * @returns whether it is there
 */
export function needs(t: NeedyTest, program: string, env: NodeJS.ProcessEnv = process.env): boolean {
  if (isAbsolute(program) && existsSync(program)) return true;
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(folder => folder !== '');
  if (folders.some(folder => ['', '.exe', '.cmd'].some(ending => existsSync(join(folder, program + ending))))) return true;
  const sentence = `there is no program "${program}" on this machine`;
  if (env['CI'] && env['CI'] !== 'false') t.fail(`${sentence}, and CI must have it: see .ci/systemPackages.mjs`);
  else t.skip(sentence, () => undefined);
  return false;
}
