/** A limit of a process's memory, its files' part of the page cache included: a control group (cgroups(7)) of Linux. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryLimit {
  /** Processes that it starts are limited. */
  around<T>(start: () => T): T;
  /** The most that was charged at once, in bytes. */
  peakBytes(): number;
  /** After its last process has ended. */
  remove(): void;
}

interface Kind {
  /** The groups' folder. */
  readonly root: string;
  /** This process's line of proc(5)'s `cgroup`. */
  readonly line: RegExp;
  readonly limit: string;
  readonly peak: string;
}

const kinds: readonly Kind[] = [
  { root: '/sys/fs/cgroup', line: /^0::(.*)$/m, limit: 'memory.max', peak: 'memory.peak' },
  {
    root: '/sys/fs/cgroup/memory',
    line: /^\d+:memory:(.*)$/m,
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
];

/** @returns undefined where this account may not limit memory */
export function limitMemory(bytes: number): MemoryLimit | undefined {
  for (const kind of kinds) {
    const made = attempt(() => makeGroup(kind, bytes));
    if (made) return made;
  }
  return undefined;
}

function makeGroup({ root, line, limit, peak }: Kind, bytes: number): MemoryLimit {
  const own = join(root, line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '', 'cgroup.procs');
  const group = join(root, `platen-bench-${process.pid}`);
  const enter = (procs: string): void => writeFileSync(procs, String(process.pid));
  mkdirSync(group);
  try {
    // Where the other kind is mounted, this is an ordinary folder.
    if (!existsSync(join(group, limit))) throw new Error(`${group} has no ${limit}.`);
    writeFileSync(join(group, limit), String(bytes));
    // Whether it may be entered, and left.
    enter(join(group, 'cgroup.procs'));
    enter(own);
  } catch (error) {
    rmdirSync(group);
    throw error;
  }
  return {
    around(start) {
      enter(join(group, 'cgroup.procs'));
      try {
        return start();
      } finally {
        enter(own);
      }
    },
    peakBytes: () => Number(readFileSync(join(group, peak), 'utf8')),
    remove: () => rmdirSync(group),
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
