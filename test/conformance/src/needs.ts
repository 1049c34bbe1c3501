/**
 * Programs of the operating system that a suite needs: where one is missing, the suite is skipped; in CI it fails.
 *
 * Every such skip has one form, `needs PROGRAM, which this machine does not have`, so that a test runner can count the
 * skips of each program and say what to install. A suite that wants several programs names the first missing one. Any
 * other reason (the system, the account's rights) must not begin with "needs".
 */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** tap's `t`, as far as this needs it. */
export interface NeedyTest {
  /** With a body that never runs: tap's types want one. */
  skip(sentence: string, body: () => void): unknown;
  fail(sentence: string): unknown;
}

/**
 * Why suites that need it cannot run; `false` where it is there, for `{ skip: lacking('scanimage') }`.
 * @param program a path where it is no program of the search path
 * @throws in CI, where everything must be there
 */
export function lacking(program: string, env: NodeJS.ProcessEnv = process.env): string | false {
  if (isThere(program, env)) return false;
  const sentence = `needs ${program}, which this machine does not have`;
  if (env['CI'] && env['CI'] !== 'false') throw new Error(`${sentence}; CI must have it`);
  return sentence;
}

/** `if (!needs(t, 'scanimage')) return;` @returns whether it is there */
export function needs(t: NeedyTest, program: string, env: NodeJS.ProcessEnv = process.env): boolean {
  try {
    const why = lacking(program, env);
    if (why) t.skip(why, () => undefined);
    return !why;
  } catch (error) {
    t.fail((error as Error).message);
    return false;
  }
}

function isThere(program: string, env: NodeJS.ProcessEnv): boolean {
  if (isAbsolute(program)) return existsSync(program);
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(folder => folder !== '');
  return folders.some(folder => ['', '.exe', '.cmd'].some(ending => existsSync(join(folder, program + ending))));
}
