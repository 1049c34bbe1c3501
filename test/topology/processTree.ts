/** A process and all that it started, as /proc shows them: memory, descriptors, threads. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** Its arguments, joined by spaces. */
  readonly command: string;
  /** Bytes that are resident (VmRSS of proc(5)). */
  readonly rss: number;
  readonly descriptors: number;
  readonly threads: number;
}

/** The process itself first; zombies are not there. @throws if it has ended */
export function processTree(root: number): ProcessFacts[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = read(`/proc/${name}/stat`);
    const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    if (line !== '' && state !== 'Z') parents.set(Number(name), Number(parent));
  }
  if (!parents.has(root)) throw new Error(`The process ${root} has ended.`);
  const found = [root];
  // Grows while it is walked.
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found.flatMap(pid => factsOf(pid, parents.get(pid) ?? 0));
}

/** VmRSS of proc(5); undefined where the system does not say. */
export function residentBytes(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Empty if it has ended meanwhile. */
function factsOf(pid: number, parent: number): ProcessFacts[] {
  const status = read(`/proc/${pid}/status`);
  const number = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? NaN);
  const [rss, threads] = [residentBytes(pid), number('Threads')];
  const descriptors = list(`/proc/${pid}/fd`);
  if (rss === undefined || !descriptors) return [];
  const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return [{ pid, parent, command, rss, descriptors: descriptors.length, threads }];
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function list(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}
