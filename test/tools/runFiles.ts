/**
 * Runs compiled tests, several at a time, each in a process of its own that prints TAP.
 * tap's own command does the same and loads its recorder of coverage into each process, which costs between half a
 * second
 * and a whole one: a third of the processor time of a full run (measured with tap 21.8 on Node 20).
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { queueOf } from './queue.js';
import { commandOf } from './specRuns.js';
import { tallyFile, type FileReport } from './tally.js';

/**
 * For a file, in seconds: tap ends its tests then and says which of them was going on. Installers take 100 s with the
 * machine to themselves.
 */
const timeoutS = 600;

/**
 * One more than there are processors: tests wait for processes, timers and devices. Two more do not end sooner (2
 * processors were busy for 90 % of the time with both), and then limits of time within tests are met.
 */
const atOnce = availableParallelism() + 1;

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
  const queue = queueOf(files, atOnce);
  const stopped = new AbortController();
  const stop = () => {
    queue.clear();
    stopped.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const work = async () => {
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      onFile(await runFile(root, next.file, envOf(next.file), stopped.signal));
      next.ended();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  process.off('SIGINT', stop).off('SIGTERM', stop);
}

/** @param stopped the file gets a SIGTERM then */
async function runFile(
  root: string,
  file: string,
  more: Readonly<Record<string, string>>,
  stopped: AbortSignal,
): Promise<FileReport> {
  const began = performance.now();
  const { stream, report } = tallyFile(file);
  const env = { ...process.env, ...more, TAP: '1', TAP_TIMEOUT: String(timeoutS) };
  const child = spawn(process.execPath, ['--enable-source-maps', ...commandOf(file)], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: stopped,
  });
  // Where its own timeout does not end it.
  const last = setTimeout(() => child.kill('SIGKILL'), (timeoutS + 30) * 1000);
  child.stdout.pipe(stream);
  const stderr = text(child.stderr);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve => {
    child.on('error', () => undefined);
    child.on('close', (...end) => resolve(end));
  });
  clearTimeout(last);
  return report({ code, signal, ms: performance.now() - began, stderr: await stderr });
}
