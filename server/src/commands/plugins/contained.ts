/** A program that runs with another account's rights, and how all that it starts ends with it. */
import { platform } from '../../machine/platform.js';
import type { Tools } from '../../machine/tls/trust/tool.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Contained {
  readonly command: string;
  /** The program and its own arguments follow. */
  readonly args: readonly string[];
}

/**
 * On Linux, the program is in a process namespace: pid_namespaces(7). The first process there is a shell that stays
 * root's, so the program cannot end or leave it; with it, the kernel kills all others, also those that have left their
 * process group. The program gains no rights from setuid programs, such as `at`.
 * @returns undefined if this system has no namespaces, or none for this process, as in most containers
 */
export async function containedAs({ uid, gid }: Account, tools: Tools): Promise<Contained | undefined> {
  if (platform !== 'linux') return undefined;
  const args = [
    ...['--pid', '--fork', '--kill-child', '/bin/sh', '-c', '"$@"; exit $?', 'sh'],
    ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'],
  ];
  const tried = await tools.run('unshare', [...args, 'true']).catch(() => undefined);
  return tried?.code === 0 ? { command: 'unshare', args } : undefined;
}
