/** The engine of the operating system: the program `tesseract`, a process for each page. */
import { spawn, type ChildProcess } from 'node:child_process';
import { messageOf } from '@platen/core/plugin';
import type { Engine, Reader } from './reader.js';

/** The first version with the neural network that the data is for. */
const LEAST_VERSION = 4;
/** A program that does not even say its version in this time is not used. */
const VERSION_MS = 10_000;

export interface NativeSettings {
  readonly program: string;
  /** Where the unpacked language data lies. */
  readonly dataFolder: string;
  readonly languages: readonly string[];
}

/** @returns the version, or why the program cannot be used */
export async function nativeVersion(program: string): Promise<{ version: string } | { why: string }> {
  try {
    const { done } = run(program, ['--version'], AbortSignal.timeout(VERSION_MS));
    const version = /tesseract v?(\d+)(?:\.\d+)*/.exec(await done);
    if (!version) return { why: 'it does not say a version of Tesseract' };
    if (Number(version[1]) < LEAST_VERSION) return { why: `it is ${version[0]}, and ${LEAST_VERSION} is needed` };
    return { version: version[0] };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

export function nativeEngine(settings: NativeSettings): Engine {
  return { name: 'native', start: () => processForEachPage(settings) };
}

function processForEachPage({ program, dataFolder, languages }: NativeSettings): Reader {
  let last: { child: ChildProcess; gone: Promise<void> } | undefined;
  return {
    async read({ data, dpi }) {
      const wishes = ['--tessdata-dir', dataFolder, '-l', languages.join('+'), '--oem', '1', '--psm', '3', '--dpi', String(dpi)];
      const { done, ...process } = run(program, ['stdin', 'stdout', ...wishes, '-c', 'tessedit_create_tsv=1'], undefined, data);
      last = process;
      return done;
    },

    async end() {
      last?.child.kill('SIGKILL');
      await last?.gone;
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  /** What it printed. */
  readonly done: Promise<string>;
  /** Resolves when the process has ended, however it did. */
  readonly gone: Promise<void>;
}

function run(program: string, args: readonly string[], signal?: AbortSignal, input?: Uint8Array): Running {
  // One page, one thread: pages are read side by side, and Tesseract's own threads only get into each other's way.
  const env = { ...process.env, OMP_THREAD_LIMIT: '1', LC_ALL: 'C' };
  const child = spawn(program, args, { env, windowsHide: true, stdio: ['pipe', 'pipe', 'pipe'], killSignal: 'SIGKILL', ...(signal ? { signal } : {}) });
  const printed: Buffer[] = [];
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-1000)));
  // It says more when it ends than that it closed its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');

  let ended = (): void => undefined;
  const gone = new Promise<void>(resolve => (ended = resolve));
  const done = new Promise<string>((resolve, reject) => {
    child.on('error', error => {
      if (child.pid === undefined) ended();
      reject(new Error(`"${program}" could not be run (${messageOf(error)})`, { cause: error }));
    });
    child.on('close', (code, killedBy) => {
      ended();
      if (code === 0) return resolve(Buffer.concat(printed).toString('utf8'));
      const last = complaint.trim().split('\n').at(-1);
      reject(new Error(`"${program}" ended with ${killedBy ?? `code ${String(code)}`}${last ? ` (${last})` : ''}`));
    });
  });
  return { child, done, gone };
}
