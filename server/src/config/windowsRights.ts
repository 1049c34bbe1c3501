/**
 * Reads the access rights of paths on Windows: by Platen's own program where it is installed, else by PowerShell, which
 * takes a second. (`icacls /save` prints no owner.)
 */
import { win32 } from 'node:path';
import { parseSddl, type AccessRights } from './sddl.js';
import { accountIn, runProgram, type RunProgram } from './windowsAccess.js';
import { windowsProgram } from './windowsProgram.js';

export interface PathRights {
  /** The SID of the account that runs this process; its name if Windows prints no SID, as Wine does not. */
  readonly us: string;
  /** By path; a path that does not exist, or whose rights this account may not read, is missing. */
  readonly rights: ReadonlyMap<string, AccessRights>;
}

export interface RightsTools {
  readonly env?: NodeJS.ProcessEnv;
  readonly run?: RunProgram;
  /** Platen's program for Windows; absent: as installed. */
  readonly program?: string | undefined;
}

/** The environment passes the paths, because it keeps every character; a path cannot contain "|". */
const script =
  "$ErrorActionPreference = 'Stop'; $env:PLATEN_PATHS -split '\\|' | ForEach-Object { try { (Get-Acl -LiteralPath $_).Sddl } catch { '-' } }";

/** @throws if the rights cannot be read: PowerShell is missing, or a policy forbids it */
export async function readRights(paths: readonly string[], tools: RightsTools = {}): Promise<PathRights> {
  const { env = process.env, run = runProgram } = tools;
  const program = 'program' in tools ? tools.program : windowsProgram();
  const byShell = (): Promise<Said> => byPowerShell(paths, env, run);
  const [us, lines] = await (program === undefined ? byShell() : byProgram(program, paths, run).catch(byShell));
  if (lines.length !== paths.length) throw new Error('Windows printed no access rights');
  const rights = new Map<string, AccessRights>();
  for (const [at, line] of lines.entries()) if (line !== '-') rights.set(paths[at]!, parseSddl(line));
  return { us, rights };
}

/** This account, and the rights of each path. */
type Said = readonly [us: string, lines: readonly string[]];

/** It prints the account's SID, then the rights of each path, or `-`. */
async function byProgram(program: string, paths: readonly string[], run: RunProgram): Promise<Said> {
  const [us = '', ...lines] = linesOf(await run(program, ['--access-rights', ...paths]));
  if (lines.length !== paths.length) throw new Error(`${program} printed no access rights`);
  return [accountIn(us).replace(/^\*/, ''), lines];
}

async function byPowerShell(paths: readonly string[], env: NodeJS.ProcessEnv, run: RunProgram): Promise<Said> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  const powershell = win32.join(system32, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const [who, said] = await Promise.all([
    run(win32.join(system32, 'whoami.exe'), ['/user', '/fo', 'csv', '/nh']),
    run(powershell, ['-NoProfile', '-NonInteractive', '-Command', script], { ...env, PLATEN_PATHS: paths.join('|') }),
  ]);
  return [accountIn(who).replace(/^\*/, ''), linesOf(said)];
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).filter(line => line.trim() !== '');
