/** A service that is stopped at a moment which can be seen from outside, looked at while nothing moves, and killed. */
import { readdirSync, readFileSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { createNotifier } from '@platen/core/driver';
import type { Fixture } from '../topology/topology.js';

/** Why no process can be frozen here; false where it can. */
export const whyNotFrozen: string | false =
  process.platform !== 'linux' && 'a process is stopped and looked at by /proc, which only Linux has';

/** Returns when every thread of the process has stopped. */
export function freeze({ pid }: Fixture): void {
  process.kill(pid, 'SIGSTOP');
  while (!threads(pid).every(state => 'TZX'.includes(state))) continue;
}

export const thaw = ({ pid }: Fixture): void => void process.kill(pid, 'SIGCONT');

/** States of proc(5); empty for a thread that has ended meanwhile. */
function threads(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map(thread => {
    const line = read(`/proc/${pid}/task/${thread}/stat`);
    return line.slice(line.lastIndexOf(')') + 2)[0] ?? '';
  });
}

/**
 * Freezes the service at each change in the folder of scans. Kills it when it is as wanted, otherwise lets it go on.
 * Call it before what causes the change.
 * @param isIt looks; the service does nothing meanwhile
 * @param over when no further change comes
 * @returns whether the moment came
 */
export async function killWhen(
  fixture: Fixture,
  isIt: () => boolean | Promise<boolean>,
  over: () => Promise<unknown>,
): Promise<boolean> {
  const scans = join(fixture.dataDir, 'scans');
  const watchers = new Map<string, FSWatcher>();
  const change = createNotifier();
  let changed = false;
  let isOver = false;
  const tell = (): void => {
    changed = true;
    change.notify();
  };
  const add = (folder: string): void => {
    if (!watchers.has(folder)) watchers.set(folder, watch(folder, tell).on('error', tell));
  };
  const look = async (): Promise<boolean> =>
    killIf(fixture, () => {
      for (const entry of readdirSync(scans, { withFileTypes: true }))
        if (entry.isDirectory()) add(join(scans, entry.name));
      return isIt();
    });
  add(scans);
  over()
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
      tell();
    });
  try {
    for (;;) {
      changed = false;
      const isLast = isOver;
      if (await look()) return true;
      if (isLast) return false;
      if (!changed) await change.wait();
    }
  } finally {
    for (const each of watchers.values()) each.close();
  }
}

/** Freezes it now. Kills it if it is as wanted, otherwise lets it go on. @returns whether it was killed */
export async function killIf(fixture: Fixture, isIt: () => boolean | Promise<boolean>): Promise<boolean> {
  freeze(fixture);
  const found = await isIt();
  if (found) fixture.signal('SIGKILL');
  else thaw(fixture);
  return found;
}

/** What was sent before the service was frozen has come: one round of the event loop reads it. */
export async function untilRead(length: () => number): Promise<void> {
  for (let before = -1; before !== length();) {
    before = length();
    for (let turn = 0; turn < 3; turn++) await breathe();
  }
}

/** Processes that have this folder in their environment: the service and its helpers. */
export function processesOf({ dataDir }: Fixture): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => pid !== process.pid && read(`/proc/${pid}/environ`).includes(`PLATEN_DATA_DIR=${dataDir}\0`));
}

/** Empty where the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
