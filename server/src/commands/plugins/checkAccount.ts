/** With whose rights an added plugin's code is tried out: never with an administrator's. */
import { win32 } from 'node:path';
import { isRoot, platform } from '../../machine/platform.js';
import { systemTools, type Tools } from '../../machine/tls/trust/tool.js';
import { isElevated } from '../../machine/tls/trust/windows.js';
import type { Account } from './contained.js';

/** `own`: this account's, which is not an administrator's; `none`: there are only an administrator's. */
export type CheckAccount = 'own' | 'none' | Account;

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  readonly tools: Tools;
}

/**
 * Root's is nobody, and not the service's account: what the code leaves behind could read the data folder before anyone
 * has put the plugin into a configuration. An elevated program of Windows cannot give its rights away.
 */
export async function checkAccount(env: NodeJS.ProcessEnv, given: Partial<Surroundings> = {}): Promise<CheckAccount> {
  const { tools = systemTools(env) } = given;
  if ((given.platform ?? platform) === 'win32') {
    const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
    return (await isElevated(tools, system32)) === false ? 'own' : 'none';
  }
  if (!(given.isRoot ?? isRoot())) return 'own';
  return (await nobody(tools)) ?? 'none';
}

async function nobody(tools: Tools): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async flag => Number((await tools.run('id', [flag, 'nobody']))?.said || Number.NaN)),
  );
  if (uid === undefined || gid === undefined || !Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0)
    return undefined;
  // macOS's is -2, which id prints without a sign; Node takes 32 bits with one.
  return { uid: uid | 0, gid: gid | 0 };
}
