/** The memory of a process and of all that it started, from proc(5). */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 200;

/** Resident bytes; what two of them share counts twice. */
export async function residentBytes(pid: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc').catch(() => []))
    if (/^\d+$/.test(name)) parents.set(Number(name), parentIn(await textOf(`/proc/${name}/stat`)));
  const tree = [pid];
  for (const each of tree) for (const [child, parent] of parents) if (parent === each) tree.push(child);
  let bytes = 0;
  for (const each of tree)
    bytes += Number(/^VmRSS:\s*(\d+) kB$/m.exec(await textOf(`/proc/${each}/status`))?.[1] ?? 0) * 1024;
  return bytes;
}

export interface Watched {
  /** The most at any look. */
  readonly bytes: number;
  readonly own: number;
}

/** Looks again and again until it is told to end. */
export function watchMemory(pid: number): () => Promise<Watched> {
  let ended = false;
  let [bytes, own] = [0, 0];
  const looking = (async () => {
    while (!ended) {
      bytes = Math.max(bytes, await residentBytes(pid));
      own = Math.max(own, Number(/^VmRSS:\s*(\d+) kB$/m.exec(await textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1024);
      await pause(EVERY_MS);
    }
  })();
  return async () => {
    ended = true;
    await looking;
    return { bytes, own };
  };
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** The second field after the name in brackets. */
function parentIn(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}
