/**
 * Root's commands for the service of another account: they take on that account's rights for good, so that the service
 * can read what they write, and a link that its account put into the data folder leads to nothing that the account may
 * not write itself.
 */
import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isRoot } from '../../machine/platform.js';

/** Node's types lack it. */
interface WithGroups {
  initgroups?(uid: number, gid: number): void;
}

/** Whether this process is root's, and the data folder another account's. */
export function isRootElsewhere(dataDir: string): boolean {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  return isRoot() && found !== undefined && found.uid !== 0;
}

/** Changes nothing if this process is not root's, or there is no folder. @param env gets the account's own home */
export function becomeOwner(dataDir: string, env: NodeJS.ProcessEnv): void {
  if (!isRootElsewhere(dataDir)) return;
  const { uid, gid } = statSync(dataDir);
  try {
    // Those that may use scanners are among them.
    (process as WithGroups).initgroups?.(uid, gid);
  } catch {
    // The account is only a number.
    process.setgroups?.([gid]);
  }
  process.setgid?.(gid);
  process.setuid?.(uid);
  for (const name of Object.keys(env)) if (/^(?:HOME|USER|LOGNAME|XDG_.*)$/.test(name)) delete env[name];
  try {
    env['HOME'] = userInfo().homedir;
  } catch {
    env['HOME'] = '/';
  }
}
