/** Runs `platen-fuzz` in packages made for a test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

export const room = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
export const compilers = ['gcc', 'clang'] as const;

interface Outcome {
  readonly status: number | null;
  readonly said: string;
}

/** @param kit the folder whose bin/fuzz.mjs and native/ are used */
export async function fuzz(folder: string, args: readonly string[], kit = room('.')): Promise<Outcome> {
  const env = { ...process.env, NODE_OPTIONS: '' }; // otherwise tap's preload runs in it
  const child = spawn(process.execPath, [join(kit, 'bin/fuzz.mjs'), ...args], { cwd: folder, env, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += String(text)));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, said };
}

/** A package whose native/fuzz.c is this text. */
export function packageOf(t: Test, source: string, settings: object = {}): string {
  return t.testdir({
    'package.json': JSON.stringify({ name: 'demo', platen: settings }),
    native: { 'fuzz.c': source },
  });
}

export const parser = readFileSync(room('native/fuzz/parser.c'), 'utf8');

/** What the fixture's package is for one of its verbs. */
export function faulty(t: Test, verb: string): string {
  const flags = [`-DFAULT=${verb}`, '-DPLATEN_FUZZ_HANG_S=5'];
  const folder = packageOf(t, '', { fuzz: { source: 'native/fuzz.c', flags } });
  cpSync(room('fixtures/fuzz'), join(folder, 'native'), { recursive: true });
  mkdirSync(join(folder, 'native/corpus'));
  writeFileSync(join(folder, 'native/corpus/verb'), '{"id":1,"verb":"verb","args":{"device":"a","at":0}}\n');
  return folder;
}
