/** Platen as a service of Windows: the service host of the package for this system does it all. */
import { dirname, join } from 'node:path';
import { windowsDangers } from '../rights/windowsCodeAccess.js';
import { serviceProgram } from '../windowsProgram.js';
import type { Tools } from '../tls/trust/tool.js';
import { ServiceError, type ServiceManager, type ServicePlace, type ServiceState } from './manager.js';

export interface WindowsPlace extends ServicePlace {
  readonly tools: Tools;
  /** Accounts, groups or SIDs who scan; empty: everyone with a session. */
  readonly people: readonly string[];
  /** The service host. */
  readonly host: string;
  /** The service's configuration. */
  readonly configFile: string;
  /** For each file, why others could change what it does; a test passes another. */
  readonly dangers?: typeof windowsDangers;
}

const PACKAGE = '@platen/server-win32-x64';
/** Exit codes of its `status`, as those of systemctl's. */
const states: Readonly<Record<number, ServiceState>> = { 0: 'running', 3: 'stopped', 4: 'absent' };

/**
 * @param folder the server's package; absent: this one
 * @throws ServiceError if the package of this system is not installed, or its program is not the published one
 */
export function serviceHost(folder?: string): string {
  const program = serviceProgram(folder);
  if (program?.refused !== undefined) throw new ServiceError(`The service host ${program.refused}.`);
  if (program !== undefined) return program.command;
  throw new ServiceError(
    `The package ${PACKAGE} is not installed, which has the service host. Install @platen/server again, with optional dependencies.`,
  );
}

const RESTART = "$ErrorActionPreference = 'Stop'; Restart-Service -Name Platen";

export function windowsManager({
  tools,
  host,
  node,
  program,
  people,
  configFile,
  say,
  warn,
  dangers = windowsDangers,
}: WindowsPlace): ServiceManager {
  async function run(...args: readonly string[]) {
    const ran = await tools.run(host, args);
    if (!ran) throw new ServiceError(`${host} is missing. Install @platen/server again.`);
    return ran;
  }
  async function done(...args: readonly string[]): Promise<void> {
    const { code, said } = await run(...args);
    if (code !== 0) throw new ServiceError(said === '' ? `${host} failed with code ${code}.` : said);
    if (said !== '') say(said);
  }

  return {
    async install() {
      // The service, and a program in the session of each person, administrators too, run these.
      const files = [host, join(dirname(host), 'platen-desktop.exe'), node, program];
      const found = (await dangers(files, { forAll: true })).find(Boolean);
      if (found !== undefined)
        throw new ServiceError(
          `The service was not installed: ${found}. Install Node for all accounts, and Platen with: npm install --prefix "%ProgramFiles%\\Platen" @platen/server`,
        );
      await done('install', '--node', node, ...people.flatMap(name => ['--people', name]));
      return true;
    },
    async remove({ data }) {
      await done('undo', ...(data ? ['--all'] : []));
      await done('remove');
      if (!data) warn('Kept the data, and a configuration that was changed. With --data they go too.');
    },
    async restart() {
      const ran = await tools.run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', RESTART]);
      if (!ran)
        throw new ServiceError('powershell.exe is missing. Run as administrator: net stop Platen && net start Platen');
      if (ran.code !== 0)
        throw new ServiceError(`The service was not restarted: ${ran.said}. Run this as administrator.`);
    },
    async status() {
      const { code, said } = await run('status');
      const state = states[code];
      if (state === undefined) throw new ServiceError(said === '' ? `${host} failed with code ${code}.` : said);
      return { state, configFile };
    },
  };
}
