/** The child processes of a service, from the operating system. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../spec/calls.js';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const run = promisify(execFile);

/** All running processes, without zombies. */
export async function processes(): Promise<Process[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']);
  return stdout.split('\n').flatMap(line => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** Waits for the process of an isolated plugin. @param use the plugin as the configuration names it. @returns its id */
export async function processOf(service: number, use: string): Promise<number> {
  let found: Process | undefined;
  await until(async () => {
    found = (await processes()).find(({ parent, command }) => parent === service && command.endsWith(` ${use}`));
    return found !== undefined;
  });
  return found!.pid;
}

export async function untilGone(...pids: readonly number[]): Promise<void> {
  await until(async () => (await processes()).every(({ pid }) => !pids.includes(pid)));
}
