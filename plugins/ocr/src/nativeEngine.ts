/** The engine of the operating system: the program `tesseract`, one process per page. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, settledWithin, startChild } from '@platen/core/plugin';
import type { PageImage } from './pageImage.js';
import type { Engine, Reader } from './engine.js';

/** The first version with the neural network that the language data is for. */
const LEAST_VERSION = 4;
/** A program that does not print its version in this time is not used. */
const VERSION_MS = 10_000;
/** How long `end` waits for a killed program: one that hangs in the kernel ends when it can. */
const END_MS = 5_000;

export interface NativeSettings {
  readonly program: string;
  /** The working directory, to which the names below are relative: the program may not take every path. */
  readonly folder: string;
  /** The folder of the unpacked language data. */
  readonly data: string;
  /** The folder of pages while they are read. */
  readonly pages: string;
  readonly languages: readonly string[];
}

/** @returns the version, or why the program cannot be used */
export async function nativeVersion(program: string): Promise<{ version: string } | { why: string }> {
  try {
    const { done } = run(program, ['--version'], { signal: AbortSignal.timeout(VERSION_MS) });
    const version = /tesseract v?(\d+)(?:\.\d+)*/.exec(await done);
    if (!version) return { why: 'it does not print a version of Tesseract' };
    if (Number(version[1]) < LEAST_VERSION) return { why: `it is ${version[0]}, and ${LEAST_VERSION} is needed` };
    return { version: version[0] };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

export function nativeEngine(settings: NativeSettings): Engine {
  return { name: 'native', start: () => processPerPage(settings) };
}

/** The page is passed as a file: Tesseract reads its standard input byte by byte, which costs 5% of a page's time. */
function processPerPage({ program, folder, data, pages, languages }: NativeSettings): Reader {
  let ended = false;
  let running: Running | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const readPage = async ({ file, dpi }: PageImage): Promise<string> => {
    const page = join(pages, `${randomUUID()}.tif`);
    try {
      await writeFile(join(folder, page), file, { mode: 0o600 });
      if (ended) throw new Error('the engine has ended');
      const wishes = [
        '--tessdata-dir',
        data,
        '-l',
        languages.join('+'),
        '--oem',
        '1',
        '--psm',
        '3',
        '--dpi',
        String(dpi),
      ];
      running = run(program, [page, 'stdout', ...wishes, '-c', 'tessedit_create_tsv=1'], { cwd: folder });
      return await running.done;
    } finally {
      await rm(join(folder, page), { force: true });
    }
  };

  return {
    read(image) {
      const reading = readPage(image);
      last = reading;
      return reading;
    },

    async end() {
      ended = true;
      running?.kill();
      await settledWithin(last, END_MS);
    },
  };
}

interface Running {
  kill(): void;
  /** What it printed, once it has ended. */
  readonly done: Promise<string>;
}

function run(program: string, args: readonly string[], where: { cwd?: string; signal?: AbortSignal }): Running {
  // One thread per page: pages are read in parallel, and Tesseract's own threads would only compete.
  const env = { ...process.env, OMP_THREAD_LIMIT: '1', LC_ALL: 'C' };
  const child = startChild({
    command: program,
    args,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...where,
  });
  const printed: Buffer[] = [];
  let errors = '';
  // Without file descriptors there is no process, and so no stream of it.
  const { stdout, stderr } = (child.process ?? {}) as Partial<ChildProcess>;
  const closed = new Promise<void>(resolve => child.process?.once('close', resolve));
  stdout?.on('data', (chunk: Buffer) => printed.push(chunk));
  stderr?.setEncoding('utf8').on('data', (chunk: string) => (errors = (errors + chunk).slice(-1000)));
  const done = child.ended.then(async ({ code, signal, error }) => {
    if (error) throw new Error(`"${program}" could not be run (${messageOf(error)})`, { cause: error });
    await closed;
    if (code === 0) return Buffer.concat(printed).toString('utf8');
    const last = errors.trim().split('\n').at(-1);
    throw new Error(`"${program}" ended with ${signal ?? `code ${String(code)}`}${last ? ` (${last})` : ''}`);
  });
  return { kill: child.kill, done };
}
