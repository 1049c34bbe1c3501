/** Programs that stand in for `tesseract` in the tests, and whether the real one is there. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Why tests of the program are skipped; false where it is there. It must be in CI. */
export function withoutProgram(program = 'tesseract', env: NodeJS.ProcessEnv = process.env): string | false {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(folder => folder !== '');
  if (folders.some(folder => ['', '.exe'].some(ending => existsSync(join(folder, program + ending))))) return false;
  if (env['CI'] && env['CI'] !== 'false') throw new Error(`there is no program "${program}" on this machine, and CI must have it: see .ci/systemPackages.mjs`);
  return `there is no program "${program}" on this machine`;
}

/** A program of Node's; not on Windows, which runs no such file. */
export function fakeProgram(folder: string, body: string): string {
  const file = join(folder, 'tesseract.cjs');
  writeFileSync(file, `#!${process.execPath}\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

export const withoutScripts = process.platform === 'win32' && 'a script is no program here';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
