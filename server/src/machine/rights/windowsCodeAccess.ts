/**
 * Windows: whether accounts other than this one, the system and administrators may write a file of code, or replace it
 * or a folder on the path to it.
 *
 * By default any account may add folders to C:\\, and folders made there let it write, so the rights are checked and not
 * assumed.
 */
import { win32 } from 'node:path';
import { REPLACE, sids, WRITE, type AccessRights } from './sddl.js';
import { readRights, type RightsTools } from './windowsRights.js';

/**
 * The system, administrators of computer and domain, TrustedInstaller (for Windows' own files), and the creator, which
 * stands for the owner.
 */
const always: readonly string[] = [
  sids.SYSTEM,
  sids.ADMINISTRATORS,
  'LA',
  'DA',
  'EA',
  sids.TRUSTED_INSTALLER,
  sids.CREATOR,
  sids.OWNER_RIGHTS,
];

export interface DangerTools extends RightsTools {
  /** For code that others run too: this account is not trusted, whose programs without its administrator rights could write it. */
  readonly forAll?: boolean;
}

/**
 * @returns for each file, the fault and its fix; undefined if there is no fault or no file
 * @throws if the rights cannot be read: PowerShell is missing, or a policy forbids it
 */
export async function windowsDangers(
  files: readonly string[],
  tools: DangerTools = {},
): Promise<readonly (string | undefined)[]> {
  const ways = files.map(wayTo);
  const { us, rights } = await readRights([...new Set(ways.flat())], tools);
  const trusted = new Set(tools.forAll === true ? always : [...always, us]);
  return ways.map(way => {
    for (const [at, path] of way.entries()) {
      // Others must not be able to add to the file's folder or to a folder of packages; to the drive's root they may.
      const account = strangerIn(
        rights.get(path),
        at < 2 || /\\node_modules(?:\\|$)/i.test(path) ? WRITE : REPLACE,
        trusted,
      );
      if (account?.owns)
        return `${path} belongs to another account (${account.sid}), which could make the service run its code: if its content is yours, run: icacls "${path}" /setowner *S-1-5-32-544`;
      if (account)
        return `${path} is writable by other accounts (${account.sid}), which could make the service run their code: move your files to a folder that only ${tools.forAll === true ? 'administrators' : 'you'} can write, or run: icacls "${path}" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F ${tools.forAll === true ? '*S-1-5-32-545:(OI)(CI)RX' : '"%USERNAME%:(OI)(CI)F"'}`;
    }
    return undefined;
  });
}

/** The file, then each folder up to the drive's root. */
function wayTo(file: string): readonly string[] {
  const above = win32.dirname(file);
  return above === file ? [file] : [file, ...wayTo(above)];
}

/** An untrusted account that owns the path or has one of the rights on it. @param rights none: there is no such path */
function strangerIn(
  rights: AccessRights | undefined,
  mask: number,
  trusted: ReadonlySet<string>,
): { readonly sid: string; readonly owns: boolean } | undefined {
  const { owner, grants = [] } = rights ?? {};
  if (owner !== undefined && !trusted.has(owner)) return { sid: owner, owns: true };
  const found = grants.find(each => !each.inheritOnly && !trusted.has(each.account) && (each.rights & mask) !== 0);
  return found && { sid: found.account, owns: false };
}
