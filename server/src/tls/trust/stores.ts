/** The trust stores of this operating system, and those of them that this account installs into. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRoot, platform as ownPlatform } from '../../config/platform.js';
import { linuxSystemStore } from './linuxSystem.js';
import { macosStores } from './macos.js';
import { nssDatabases, nssStore } from './nss.js';
import type { TrustStore } from './store.js';
import { systemTools, type Tools } from './tool.js';
import { windowsStores } from './windows.js';

export interface TrustStores {
  /** In the order in which a certificate is taken out of them. */
  readonly all: readonly TrustStore[];
  readonly chosen: readonly TrustStore[];
}

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly root: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly tools: Tools;
}

export async function trustStores(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  given: Partial<Surroundings> = {},
): Promise<TrustStores> {
  const { platform = ownPlatform, root = isRoot, tools = systemTools(env) } = given;
  const home = env['HOME'] || homedir();
  if (platform === 'win32') return windowsStores(tools, env);
  if (platform === 'darwin') return macosStores(tools, { root, home });
  const databases = await nssDatabases(home, env);
  // A server that nobody browses from has neither browsers nor their tools, and lacks nothing.
  const browses = !root || databases.length > 1 || (await tools.run('certutil', ['-H'])) !== undefined;
  const all = [
    linuxSystemStore(tools, { root, certFile: join(dataDir, 'certificate', 'cert.pem') }),
    ...(browses ? databases.map(each => nssStore(tools, each)) : []),
  ];
  return { all, chosen: all };
}
