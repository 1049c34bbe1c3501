/**
 * Reads the owner and the access rights of paths on Windows, in one call of PowerShell, which takes a second. `icacls
 * /save` takes less and prints no owner.
 */
import { win32 } from 'node:path';
import { parseSddl, type AccessRights } from './sddl.js';
import { accountIn, runProgram, type RunProgram } from './windowsAccess.js';

export interface PathRights {
  /** The SID of the account that runs this process; its name if Windows prints no SID, as Wine does not. */
  readonly us: string;
  /** By path; a path that does not exist, or whose rights this account may not read, is missing. */
  readonly rights: ReadonlyMap<string, AccessRights>;
}

export interface RightsTools {
  readonly env?: NodeJS.ProcessEnv;
  readonly run?: RunProgram;
}

/** The environment passes the paths, because it keeps every character; a path cannot contain "|". */
const script =
  "$ErrorActionPreference = 'Stop'; $env:PLATEN_PATHS -split '\\|' | ForEach-Object { try { (Get-Acl -LiteralPath $_).Sddl } catch { '-' } }";

/** @throws if the rights cannot be read: PowerShell is missing, or a policy forbids it */
export async function readRights(
  paths: readonly string[],
  { env = process.env, run = runProgram }: RightsTools = {},
): Promise<PathRights> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  const powershell = win32.join(system32, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const [who, said] = await Promise.all([
    run(win32.join(system32, 'whoami.exe'), ['/user', '/fo', 'csv', '/nh']),
    run(powershell, ['-NoProfile', '-NonInteractive', '-Command', script], { ...env, PLATEN_PATHS: paths.join('|') }),
  ]);
  const lines = said.split(/\r?\n/).filter(line => line.trim() !== '');
  if (lines.length !== paths.length) throw new Error('PowerShell printed no access rights');
  const rights = new Map<string, AccessRights>();
  for (const [at, line] of lines.entries()) if (line !== '-') rights.set(paths[at]!, parseSddl(line));
  return { us: accountIn(who).replace(/^\*/, ''), rights };
}
