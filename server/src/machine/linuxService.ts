/** The service of a Linux computer, as the packages and `platen service install` make it: its account and its files. */
import { existsSync, statSync } from 'node:fs';
import { platform } from './platform.js';

export const ACCOUNT = 'platen';
export const DATA = '/var/lib/platen';
export const SERVICE_CONFIG = '/etc/platen/platen.json';

export interface InstalledService {
  readonly dataDir: string;
  /** Undefined: none was written. */
  readonly configFile: string | undefined;
}

/**
 * The service that this account's commands mean: root and the service's account mean that of the computer, everyone
 * else their own.
 */
export function ownService(dataDir = DATA, configFile = SERVICE_CONFIG): InstalledService | undefined {
  if (platform !== 'linux') return undefined;
  const found = statSync(dataDir, { throwIfNoEntry: false });
  const account = process.geteuid?.();
  if (!found || (account !== 0 && account !== found.uid)) return undefined;
  return { dataDir, configFile: existsSync(configFile) ? configFile : undefined };
}

/** Whether this computer has a service, which this account's commands may not mean. */
export const hasService = (): boolean => platform === 'linux' && existsSync(DATA);

/** How a person runs a command for the service that has the data folder. */
export const commandFor = (dataDir: string, command: string): string =>
  dataDir === DATA ? `sudo ${command}` : command;

/** How a person starts that service. */
export const startOf = (dataDir: string): string => (dataDir === DATA ? 'sudo systemctl start platen' : 'platen serve');
