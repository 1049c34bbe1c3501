/**
 * Windows: whether accounts other than this one, the system and administrators may write a file of code, or replace it
 * or a folder on the path to it.
 *
 * One call of PowerShell reads the access rights of all paths as SDDL, which is not translated:
 * https://learn.microsoft.com/windows/win32/secauthz/ace-strings. By default any account may add folders to C:\\, and
 * folders made there let it write, so the rights are checked and not assumed.
 */
import { win32 } from 'node:path';
import { accountIn, runProgram, type RunProgram } from './windowsAccess.js';

/** Accounts that SDDL abbreviates to two letters and that may run this process. */
const services: Readonly<Record<string, string>> = { 'S-1-5-19': 'LS', 'S-1-5-20': 'NS' };

/**
 * The system, administrators of computer and domain, TrustedInstaller (for Windows' own files), and the creator, which
 * stands for the owner.
 */
const always = [
  'SY',
  'BA',
  'LA',
  'DA',
  'EA',
  'S-1-5-18',
  'S-1-5-32-544',
  'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  'CO',
  'S-1-3-0',
  'OW',
  'S-1-3-4',
];

/** Each is two letters or a SID. */
const bits: Readonly<Record<string, number>> = {
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
  SD: 0x1_0000,
  RC: 0x2_0000,
  WD: 0x4_0000,
  WO: 0x8_0000,
  GA: 0x1000_0000,
  GX: 0x2000_0000,
  GW: 0x4000_0000,
  GR: 0x8000_0000,
  FA: 0x1f_01ff,
  FR: 0x12_0089,
  FW: 0x12_0116,
  FX: 0x12_00a0,
};
/** Rights to replace it: delete children, delete, write its access rights, take ownership. */
const REPLACE = 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000;
/** Rights to write data or add files, and to append or add folders. */
const WRITE = REPLACE | 0x2 | 0x4 | 0x4000_0000;

/** The environment passes the paths, because it keeps every character; a path cannot contain "|". */
const script =
  "$ErrorActionPreference = 'Stop'; $env:PLATEN_PATHS -split '\\|' | ForEach-Object { try { (Get-Acl -LiteralPath $_).Sddl } catch { '-' } }";

/**
 * @returns for each file, the fault and its fix; undefined if there is no fault or no file
 * @throws if the rights cannot be read: PowerShell is missing, or a policy forbids it
 */
export async function windowsDangers(
  files: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  run: RunProgram = runProgram,
): Promise<readonly (string | undefined)[]> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  const ways = files.map(wayTo);
  const paths = [...new Set(ways.flat())];
  const powershell = win32.join(system32, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const [who, said] = await Promise.all([
    run(win32.join(system32, 'whoami.exe'), ['/user', '/fo', 'csv', '/nh']),
    run(powershell, ['-NoProfile', '-NonInteractive', '-Command', script], { ...env, PLATEN_PATHS: paths.join('|') }),
  ]);
  const lines = said.split(/\r?\n/).filter(line => line.trim() !== '');
  if (lines.length !== paths.length) throw new Error('PowerShell printed no access rights');
  const us = accountIn(who).replace(/^\*/, '');
  const trusted = new Set([...always, us, services[us] ?? us]);
  const rights = new Map(paths.map((path, at) => [path, lines[at] ?? '-']));
  return ways.map(way => {
    for (const [at, path] of way.entries()) {
      // Others must not be able to add to the file's folder or to a folder of packages; to the drive's root they may.
      const account = strangerIn(
        rights.get(path) ?? '-',
        at < 2 || /\\node_modules(?:\\|$)/i.test(path) ? WRITE : REPLACE,
        trusted,
      );
      if (account?.owns)
        return `${path} belongs to another account (${account.sid}), which could make the service run its code: if its content is yours, run: icacls "${path}" /setowner *S-1-5-32-544`;
      if (account)
        return `${path} is writable by other accounts (${account.sid}), which could make the service run their code: move your files to a folder that only you can write, or run: icacls "${path}" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F "%USERNAME%:(OI)(CI)F"`;
    }
    return undefined;
  });
}

/** The file, then each folder up to the drive's root. */
function wayTo(file: string): readonly string[] {
  const above = win32.dirname(file);
  return above === file ? [file] : [file, ...wayTo(above)];
}

/** An untrusted account that owns the path or has one of the rights on it. `-`: the path does not exist. */
function strangerIn(
  sddl: string,
  mask: number,
  trusted: ReadonlySet<string>,
): { readonly sid: string; readonly owns: boolean } | undefined {
  const owner = /^O:(S-[\d-]+|[A-Z]{2})/.exec(sddl)?.[1];
  if (owner !== undefined && !trusted.has(owner)) return { sid: owner, owns: true };
  const list = /D:[^(]*((?:\([^)]*\))*)/.exec(sddl)?.[1] ?? '';
  for (const [, ace = ''] of list.matchAll(/\(([^)]*)\)/g)) {
    const [type, flags = '', rights = '', , , account = ''] = ace.split(';');
    // IO (inherit only): applies to new entries below, not to the path itself.
    if (type !== 'A' || /IO/.test(flags) || trusted.has(account)) continue;
    const given = rights.startsWith('0x')
      ? Number(rights)
      : (rights.match(/../g) ?? []).reduce((all, word) => all | (bits[word] ?? 0), 0);
    if ((given & mask) !== 0) return { sid: account, owns: false };
  }
  return undefined;
}
