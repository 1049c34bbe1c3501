/** The rule of `test/tools/needs.ts`, small: a suite that lacks a program of the system skips on a person's machine and fails in CI. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Test } from 'tap';

export function needs(t: Test, program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  if (folders.some(folder => folder !== '' && existsSync(join(folder, program)))) return true;
  const sentence = `there is no program "${program}" on this machine`;
  if (process.env['CI'] && process.env['CI'] !== 'false') t.fail(`${sentence}, and CI must have it: see .ci/systemPackages.mjs`);
  else t.skip(sentence, () => undefined);
  return false;
}
