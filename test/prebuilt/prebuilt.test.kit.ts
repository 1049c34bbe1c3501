/** The prebuilt packages of native programs, built by `npm run helpers`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { needs } from '@platen/conformance';
import type { Test } from 'tap';

/** The clone, from the compiled file. */
export const clone = fileURLToPath(new URL('../../..', import.meta.url));

interface Prebuilt {
  readonly folder: string;
  readonly parent: string;
  readonly short: string;
  readonly keys: readonly string[];
  readonly manifest: { readonly name: string; readonly files: readonly string[]; readonly version?: string };
}

interface Helpers {
  readonly helpersFolder: string;
  prebuiltPackages(): Prebuilt[];
}

interface Toolchains {
  readonly toolchains: Readonly<Record<string, { readonly c: string }>>;
  flagsOf(name: string): Promise<string[]>;
}

const script = join(clone, 'setup', 'release', 'helpers.mjs');
export const helpers = (await import(pathToFileURL(script).href)) as Helpers;

/** The flags with which setup/release/toolchains.mjs compiles. */
export async function compilerOf(name: string): Promise<{ compiler: string; flags: string[] }> {
  const { toolchains, flagsOf } = (await import(
    pathToFileURL(join(clone, 'setup', 'release', 'toolchains.mjs')).href
  )) as Toolchains;
  return { compiler: toolchains[name]?.c ?? '', flags: await flagsOf(name) };
}

/** What a program prints. @throws Error if it fails */
export async function printed(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ended with ${code}: ${errors}`);
  return output;
}

/** Builds packages, in their own process, because a build prints its steps. @returns what it printed */
export function build(out: string, names: readonly string[]): Promise<string> {
  return printed(process.execPath, [script, out, ...names]);
}

/** Whether this computer compiles for Linux. If not, the suites are skipped, and fail in CI. */
export function needsLinux(t: Test): boolean {
  return ['x86_64-linux-gnu-gcc', 'aarch64-linux-gnu-gcc', '/usr/lib/apt/apt-helper'].every(each => needs(t, each));
}

export function needsMingw(t: Test): boolean {
  return ['x86_64-w64-mingw32-g++-posix', 'i686-w64-mingw32-g++-posix'].every(each => needs(t, each));
}
