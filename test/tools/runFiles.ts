/**
 * Runs compiled tests, several processes at a time, each of which prints TAP. Files share processes, but long ones and the
 * runs of the interface's sections.
 * tap's own command gives each file a process and loads its recorder of coverage into it, which costs between half a
 * second and a whole one (measured with tap 21.8 on Node 20); tap alone costs 0.25 s.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { queueOf } from './queue.js';
import { unitMemory } from '../topology/platen.js';
import { runFolder } from '../topology/runFolder.js';
import { isLong } from './selection.js';
import { commandOf } from './specRuns.js';
import { tallyFile, tallyFiles, type FileEnd, type FileReport } from './tally.js';

/**
 * Without a word for so long, in seconds, a process hangs and is ended: its tests have no limits of their own.
 * Installers are silent for 100 s with the machine to themselves.
 */
const silentS = 600;

/**
 * Two more than there are processors: tests wait for processes, timers and devices. With one more, two processors were
 * busy for two thirds of the time.
 */
const atOnce = availableParallelism() + 2;

/**
 * What calls `fetch` and has its connections cut must not live long: a timer of Node 20's fetch ends the process when its
 * parser is collected first (`onParserTimeout`, seen once in six shared runs with 20.20.2, and never in a file of its own).
 */
const isAlone = (file: string) => /^(clients\/web\/dist\/client|test\/dist\/client)\//.test(file);

/** Their npm may download, perhaps through a proxy with a certificate of its own. */
const mayDownload = (file: string) => isLong(file) || /^test\/dist\/(packages|plugins|release)\//.test(file);

/**
 * glibc is told what the service's unit tells it: pages of megabytes then cost fewer faults. A service that a test starts
 * as somebody types it does not inherit that.
 *
 * Node 20 reads all certificates of the system when it starts, if it is given another one: 0.06 s of processor time
 * for each process.
 */
const surroundings = (file: string): NodeJS.ProcessEnv => {
  const { NODE_EXTRA_CA_CERTS: extra, ...own } = process.env;
  const rest = { ...own, ...unitMemory };
  return extra !== undefined && mayDownload(file) ? { ...rest, NODE_EXTRA_CA_CERTS: extra } : rest;
};

const program = (name: string) => fileURLToPath(new URL(`${name}.js`, import.meta.url));
const [sharedProgram, aloneProgram] = [program('sharedProcess'), program('aloneProcess')];

/**
 * @param root the clone
 * @param files compiled tests, relative to it, and names that `commandOf` knows
 * @param envOf what a file finds in its environment beside ours
 * @param onFile told of each when it has ended
 */
export async function runFiles(
  root: string,
  files: readonly string[],
  envOf: (file: string) => Readonly<Record<string, string>>,
  onFile: (report: FileReport) => void,
): Promise<void> {
  const queue = queueOf(files, atOnce, file =>
    isAlone(file) ? file : JSON.stringify([envOf(file), mayDownload(file)]),
  );
  const stopped = new AbortController();
  const stop = () => {
    queue.clear();
    stopped.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const folder = mkdtempSync(join(tmpdir(), 'platen-run-'));
  const work = async () => {
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      const [first = ''] = next.files;
      const process: Surroundings = {
        root,
        env: { ...surroundings(first), ...envOf(first), [runFolder]: folder },
        stopped: stopped.signal,
      };
      if (next.files.length > 1) await runShared(process, next.files, onFile);
      else onFile(await runAlone(process, first));
      next.ended();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  rmSync(folder, { recursive: true, force: true });
  process.off('SIGINT', stop).off('SIGTERM', stop);
}

interface Surroundings {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** The process gets a SIGTERM then. */
  readonly stopped: AbortSignal;
}

async function runAlone(surroundings: Surroundings, file: string): Promise<FileReport> {
  const { stream, report } = tallyFile(file);
  return report(await run(surroundings, [aloneProgram, ...commandOf(file)], stream));
}

/** A process ends with the first file that fails; the others go on in another one. */
async function runShared(
  surroundings: Surroundings,
  files: readonly string[],
  onFile: (report: FileReport) => void,
): Promise<void> {
  for (let left = files; left.length > 0 && !surroundings.stopped.aborted;) {
    const tally = tallyFiles(left, onFile);
    left = tally.left(await run(surroundings, [sharedProgram, ...left], tally.stream));
  }
}

async function run(
  { root, env, stopped }: Surroundings,
  command: readonly string[],
  tap: NodeJS.WritableStream,
): Promise<FileEnd> {
  const began = performance.now();
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...env, TAP: '1', TAP_TIMEOUT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: stopped,
  });
  let ended: string | undefined;
  const hangs = () => {
    ended = `The runner ended it: it was silent for ${silentS} s.`;
    // tap says on this signal what the process waits for.
    child.kill('SIGALRM');
    setTimeout(() => child.kill('SIGKILL'), 30_000).unref();
  };
  const clock = setTimeout(hangs, silentS * 1000);
  child.stdout.on('data', () => clock.refresh()).pipe(tap);
  const stderr = text(child.stderr);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve => {
    child.on('error', () => undefined);
    child.on('close', (...end) => resolve(end));
  });
  clearTimeout(clock);
  return { code, signal, ms: performance.now() - began, stderr: await stderr, ...(ended ? { ended } : {}) };
}
