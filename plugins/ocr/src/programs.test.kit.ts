/** Programs that stand in for `tesseract` in the tests. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A Node script; not on Windows, which cannot run such a file. */
export function fakeProgram(folder: string, body: string): string {
  const file = join(folder, 'tesseract.cjs');
  writeFileSync(file, `#!${process.execPath}\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

export const withoutScripts = process.platform === 'win32' && 'Windows cannot run a script as a program';

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
