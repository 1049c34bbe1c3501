/** The service's account on Linux, and programs that run with its rights. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCOUNT, DATA } from '../linuxService.js';
import { must, type Ran, type Tools } from '../tls/trust/tool.js';
import { ServiceError } from './manager.js';

/** Members may use scanners, on Debian and its relatives. */
const GROUPS = ['scanner', 'lp'];
const missing = 'it is in the package shadow-utils or passwd';

export interface AccountIds {
  readonly uid: number;
  readonly gid: number;
}

/** @param root the folder that stands for the system's root; empty for this system */
export function linuxAccount(tools: Tools, root: string) {
  const prefix = root === '' ? [] : ['--prefix', root];

  /** The fields of an entry; on this system also of a directory service. */
  async function entry(database: 'passwd' | 'group', name: string): Promise<readonly string[] | undefined> {
    const text =
      root === ''
        ? ((await tools.run('getent', [database, name]))?.said ?? '')
        : await readFile(join(root, 'etc', database), 'utf8').catch(() => '');
    return text
      .split('\n')
      .find(line => line.startsWith(`${name}:`))
      ?.split(':');
  }

  /** A person may have the account's name. @throws ServiceError unless it is a system account with our home, or none */
  async function assertOurs(): Promise<void> {
    const found = await entry('passwd', ACCOUNT);
    if (!found || (Number(found[2]) <= (await highestSystemUid(root)) && found[5] === DATA)) return;
    throw new ServiceError(
      `The account ${ACCOUNT} exists and is not a system account with the home ${DATA}. Nothing was changed: rename or remove it first.`,
    );
  }

  return {
    assertOurs,

    /** Undefined if there is no such account. */
    async ids(): Promise<AccountIds | undefined> {
      const [, , uid, gid] = (await entry('passwd', ACCOUNT)) ?? [];
      return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
    },

    /** Idempotent. @returns whether it was made */
    async make(): Promise<boolean> {
      await assertOurs();
      const isThere = (await entry('passwd', ACCOUNT)) !== undefined;
      if (!isThere)
        await must(
          tools,
          'useradd',
          [
            ...prefix,
            ...['--system', (await entry('group', ACCOUNT)) ? '--no-user-group' : '--user-group'],
            ...((await entry('group', ACCOUNT)) ? ['--gid', ACCOUNT] : []),
            ...['--no-create-home', '--home-dir', DATA, '--shell', '/usr/sbin/nologin', '--comment', 'Platen', ACCOUNT],
          ],
          missing,
        );
      for (const group of GROUPS) {
        const members = (await entry('group', group))?.[3];
        if (members === undefined || members.split(',').includes(ACCOUNT)) continue;
        await must(tools, 'usermod', [...prefix, '--append', '--groups', group, ACCOUNT], missing);
      }
      return !isThere;
    },

    /** Idempotent. */
    async remove(): Promise<void> {
      await assertOurs();
      if (await entry('passwd', ACCOUNT)) await must(tools, 'userdel', [...prefix, ACCOUNT], missing);
      if (await entry('group', ACCOUNT)) await must(tools, 'groupdel', [...prefix, ACCOUNT], missing);
    },

    /** Runs a program with the account's rights and nothing of this process's environment. */
    async run(program: string, ...args: readonly string[]): Promise<Ran> {
      const as = [`--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--init-groups'];
      const env = ['env', '-i', '-C', '/', 'PATH=/usr/bin:/bin', `HOME=${DATA}`, `PLATEN_DATA_DIR=${DATA}`];
      const ran = await tools.run('setpriv', [...as, ...env, program, ...args]);
      if (!ran) throw new ServiceError('The program setpriv is not installed: it is in the package util-linux.');
      return ran;
    },
  };
}

/** SYS_UID_MAX of login.defs(5). */
async function highestSystemUid(root: string): Promise<number> {
  const text = await readFile(join(root === '' ? '/' : root, 'etc/login.defs'), 'utf8').catch(() => '');
  return Number(/^SYS_UID_MAX\s+(\d+)/m.exec(text)?.[1] ?? 999);
}
