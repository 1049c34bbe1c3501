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
  /** By path; a path that does not exist is missing. */
  readonly rights: ReadonlyMap<string, AccessRights>;
}

export interface RightsTools {
  readonly env?: NodeJS.ProcessEnv;
  readonly run?: RunProgram;
}

/** The environment passes the paths, because it keeps every character; a path cannot contain "|". Prints `-` for no such path, `?` for a failure. */
const script =
  "$ErrorActionPreference = 'Stop'; $env:PLATEN_PATHS -split '\\|' | ForEach-Object { try { (Get-Acl -LiteralPath $_).Sddl } catch { if ($_.CategoryInfo.Category -eq 'ObjectNotFound' -and $_.Exception -isnot [Management.Automation.CommandNotFoundException]) { '-' } else { '?' } } }";

/** @throws if the rights of a path that exists cannot be read: PowerShell is missing, or a policy forbids it */
export async function readRights(
  paths: readonly string[],
  { env = process.env, run = runProgram }: RightsTools = {},
): Promise<PathRights> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  const powershell = win32.join(system32, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  // Of a newer PowerShell that started us, this one would load modules that it cannot use.
  const modules = win32.join(system32, 'WindowsPowerShell', 'v1.0', 'Modules');
  const others = Object.entries(env).filter(([name]) => name.toUpperCase() !== 'PSMODULEPATH');
  const own = { ...Object.fromEntries(others), PSModulePath: modules, PLATEN_PATHS: paths.join('|') };
  const [who, said] = await Promise.all([
    run(win32.join(system32, 'whoami.exe'), ['/user', '/fo', 'csv', '/nh']),
    run(powershell, ['-NoProfile', '-NonInteractive', '-Command', script], own),
  ]);
  const lines = said.split(/\r?\n/).filter(line => line.trim() !== '');
  if (lines.length !== paths.length) throw new Error('PowerShell printed no access rights');
  const unread = lines.indexOf('?');
  if (unread >= 0) throw new Error(`PowerShell printed no access rights of ${paths[unread]}`);
  const rights = new Map<string, AccessRights>();
  for (const [at, line] of lines.entries()) if (line !== '-') rights.set(paths[at]!, parseSddl(line));
  return { us: accountIn(who).replace(/^\*/, ''), rights };
}
