/**
 * Closes the channel's pipe to accounts other than this one, the system and LOCAL SERVICE, as which the service runs. Node
 * makes pipes with Windows' default rights, by which every account may open them for reading, and cannot change them:
 * https://learn.microsoft.com/windows/win32/ipc/named-pipe-security-and-access-rights
 */
import { messageOf, type Log } from '@platen/core';
import type { HelperProgram } from '@platen/driver-kit';
import { platform } from '../../machine/platform.js';
import { sids } from '../../machine/rights/sddl.js';
import { runProgram, type RunProgram } from '../../machine/rights/windowsAccess.js';
import { serviceProgram } from '../../machine/windowsProgram.js';

export interface RestrictTools {
  readonly run?: RunProgram;
  /** Platen's program for Windows; absent: as installed. */
  readonly program?: HelperProgram | undefined;
}

/**
 * @param tools for tests
 * @returns what restricts the pipe at an address, and warns if it cannot; undefined where a socket has a mode
 */
export function pipeRestriction(
  log: Pick<Log, 'warn'>,
  tools: RestrictTools & { readonly system?: NodeJS.Platform } = {},
): ((address: string) => Promise<void>) | undefined {
  const { run = runProgram, system = platform } = tools;
  if (system !== 'win32') return undefined;
  const program = 'program' in tools ? tools.program : serviceProgram();
  /** @returns what went wrong */
  const restrict = async (address: string): Promise<string | undefined> => {
    if (program === undefined) return 'the package @platen/server-win32-x64 is not installed';
    if (program.refused !== undefined) return `the service host ${program.refused}`;
    return run(program.command, ['--restrict-pipe', address, sids.LOCAL_SERVICE]).then(
      () => undefined,
      (error: unknown) => messageOf(error).split('\n')[0],
    );
  };
  return async address => {
    const fault = await restrict(address);
    if (fault !== undefined)
      log.warn(
        `Could not restrict the channel's pipe (${fault}). Other accounts of this computer can open it for reading, but cannot prove themselves. A service that runs as LOCAL SERVICE cannot connect.`,
      );
  };
}
