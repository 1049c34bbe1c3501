/** With whose rights an added plugin's code is tried out: never with an administrator's. */
import { win32 } from 'node:path';
import { isRoot, platform } from '../config/platform.js';
import { linuxAccount } from '../service/linuxAccount.js';
import { systemTools, type Tools } from '../tls/trust/tool.js';
import { isElevated } from '../tls/trust/windows.js';

/** `own`: this account's, which is not an administrator's; `none`: there are only an administrator's. */
export type CheckAccount = 'own' | 'none' | { readonly uid: number; readonly gid: number };

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  readonly tools: Tools;
}

/** Root's is the service's account, or nobody. An elevated program of Windows cannot give its rights away. */
export async function checkAccount(env: NodeJS.ProcessEnv, given: Partial<Surroundings> = {}): Promise<CheckAccount> {
  const { tools = systemTools(env) } = given;
  if ((given.platform ?? platform) === 'win32') {
    const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
    return (await isElevated(tools, system32)) === false ? 'own' : 'none';
  }
  if (!(given.isRoot ?? isRoot())) return 'own';
  return (await serviceAccount(tools)) ?? (await nobody(tools)) ?? 'none';
}

async function serviceAccount(tools: Tools): Promise<CheckAccount | undefined> {
  const account = linuxAccount(tools, '');
  try {
    // A person may have its name.
    await account.assertOurs();
    return await account.ids();
  } catch {
    return undefined;
  }
}

async function nobody(tools: Tools): Promise<CheckAccount | undefined> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async flag => Number((await tools.run('id', [flag, 'nobody']))?.said || Number.NaN)),
  );
  if (uid === undefined || gid === undefined || !Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0)
    return undefined;
  // macOS's is -2, which id prints without a sign; Node takes 32 bits with one.
  return { uid: uid | 0, gid: gid | 0 };
}
