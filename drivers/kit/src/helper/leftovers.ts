/** Ends helpers that outlived their service, recognised by their program and by the service's mark in their environment. */
import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@platen/core/plugin';

/** The environment variable that names a helper's service as `4711:1234567`: its process id and start time. */
const MARK = 'PLATEN_HELPER_OF';
/** A working helper cleans up first, which takes 1.5 s at most. */
const TIDY_MS = 2_000;
const LOOK_MS = 50;

/** The environment variables for a helper; none on a system without /proc. */
export function markOfService(): NodeJS.ProcessEnv {
  try {
    const { began } = partsOf(readFileSync('/proc/self/stat', 'latin1'));
    return { [MARK]: `${process.pid}:${began}` };
  } catch {
    return {};
  }
}

/**
 * Ends the processes of this program whose service has ended, and the processes that they forked. Linux only, and only
 * this account's processes. A helper whose service runs is left alone, whichever service that is.
 * @param command as in `createHelper`
 */
export async function endLeftovers(command: string, log: Log, tidyMs = TIDY_MS): Promise<void> {
  const until = performance.now() + tidyMs;
  let left = await leftoversOf(command);
  while (left.length > 0 && performance.now() < until) {
    await sleep(LOOK_MS);
    left = await stillThere(left);
  }
  for (const { pid, group } of left) {
    log.warn(`A helper of an earlier run of Platen was still running (process ${pid}) and was killed.`);
    try {
      process.kill(group === pid ? -pid : pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
}

interface Proc {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
  /** Ticks since the system started: together with the id, this identifies a process. */
  readonly began: string;
}

async function leftoversOf(command: string): Promise<Proc[]> {
  const program = await realpath(command).catch(() => undefined);
  const names = program === undefined ? [] : await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names.filter(name => /^\d+$/.test(name)).map(name => leftover(Number(name), program!)),
  );
  return found.filter(each => each !== undefined);
}

async function leftover(pid: number, program: string): Promise<Proc | undefined> {
  try {
    const runs = await readlink(`/proc/${pid}/exe`);
    // An update replaces the file, and /proc appends " (deleted)".
    if (runs !== program && runs !== `${program} (deleted)`) return undefined;
    const variables = (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0');
    const [service, began] =
      variables
        .find(each => each.startsWith(`${MARK}=`))
        ?.slice(MARK.length + 1)
        .split(':') ?? [];
    if (!service || !began || (await procOf(Number(service)))?.began === began) return undefined;
    return await procOf(pid);
  } catch {
    return undefined; // another account's, or just gone
  }
}

async function stillThere(before: readonly Proc[]): Promise<Proc[]> {
  const now = await Promise.all(
    before.map(async each => ((await procOf(each.pid))?.began === each.began ? each : undefined)),
  );
  return now.filter(each => each !== undefined);
}

/** @returns undefined if the process does not exist or is a zombie */
async function procOf(pid: number): Promise<Proc | undefined> {
  try {
    const parts = partsOf(await readFile(`/proc/${pid}/stat`, 'latin1'));
    return parts.state === 'Z' || parts.state === 'X' ? undefined : { pid, ...parts };
  } catch {
    return undefined;
  }
}

/** proc(5): the name in brackets may contain any character. */
function partsOf(stat: string): Omit<Proc, 'pid'> {
  const parts = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: parts[0] ?? '', group: Number(parts[2]), began: parts[19] ?? '' };
}
