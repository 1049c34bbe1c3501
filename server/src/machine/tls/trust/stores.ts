/** The trust stores of this operating system, and those into which this account installs. */
import { homedir } from 'node:os';
import { ownService } from '../../linuxService.js';
import { isPersons, isRoot, platform as ownPlatform } from '../../platform.js';
import { linuxSystemStore } from './linuxSystem.js';
import { macosStores } from './macos.js';
import { nssDatabases, nssStore } from './nss.js';
import type { TrustStore } from './store.js';
import { systemTools, type Tools } from './tool.js';
import { windowsStores } from './windows.js';

export interface TrustStores {
  /** In the order of removal. */
  readonly all: readonly TrustStore[];
  readonly chosen: readonly TrustStore[];
}

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly root: boolean;
  /** Whether a person may browse with this account, unlike with that of a service. */
  readonly browses: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly tools: Tools;
}

export async function trustStores(env: NodeJS.ProcessEnv, given: Partial<Surroundings> = {}): Promise<TrustStores> {
  const { platform = ownPlatform, root = isRoot(), tools = systemTools(env) } = given;
  const home = env['HOME'] || homedir();
  if (platform === 'win32') return windowsStores(tools, env);
  if (platform === 'darwin') return macosStores(tools, { root, home });
  const { browses = isPersons() && (root || ownService() === undefined) } = given;
  // A server without browsers needs no tool for their databases.
  const isBrowsers = browses && (!root || (await tools.run('certutil', ['-H'])) !== undefined);
  const databases = await nssDatabases(home, env, isBrowsers);
  const all = [linuxSystemStore(tools, { root }), ...databases.map(each => nssStore(tools, each))];
  return { all, chosen: all };
}
