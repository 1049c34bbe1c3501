/**
 * Windows: whether accounts that are not to be trusted own the data folder or may do too much in it.
 *
 * The service's account and administrators use the whole folder. On a computer with a desktop application, the people
 * who scan use the files in it (the channel's secret) and nothing below it (the certificate's key, pages). They may add
 * files, and may neither add folders, such as a `certificate`, nor rename the data folder.
 */
import { messageOf } from '@platen/core';
import { win32 } from 'node:path';
import { ADD_FOLDERS, READ, REPLACE, sids, WRITE, type AccessRights, type Grant } from '../rights/sddl.js';
import { readRights, type RightsTools } from '../rights/windowsRights.js';

/** Accounts that stand for every account of the computer, or of the network. */
const crowds: readonly string[] = [
  sids.EVERYONE,
  sids.ANONYMOUS,
  sids.AUTHENTICATED,
  sids.NETWORK,
  sids.USERS,
  sids.GUESTS,
];

/** Of the computer and the domain. */
const administrators = /^(?:LA|DA|EA|S-1-5-21-[\d-]+-(?:500|512|519))$/;
/** Only administrators give an account of this kind to a service. */
const SERVICE = /^S-1-5-80-/;

export const isService = (account: string): boolean =>
  account === sids.LOCAL_SERVICE || account === sids.NETWORK_SERVICE || SERVICE.test(account);

/**
 * @param dir exists
 * @returns the fault and its fix, as a sentence; undefined if there is no fault
 * @throws if the access rights cannot be read
 */
export async function windowsDataFolderFault(dir: string, tools?: RightsTools): Promise<string | undefined> {
  const secret = win32.join(dir, 'channel.secret');
  const { us, rights } = await readRights([dir, secret], tools);
  const folder = rights.get(dir);
  if (!folder) throw new Error('Windows printed no access rights');
  return folderFault(dir, folder, us) ?? secretFault(secret, rights.get(secret));
}

/** Takes a sentence. */
export type Warn = (sentence: string) => void;

/** The same; warns if Windows does not tell. */
export async function checkedOnWindows(dir: string, warn: Warn): Promise<string | undefined> {
  try {
    return await windowsDataFolderFault(dir);
  } catch (error) {
    warn(
      `Could not read the access rights of the data folder ${dir} (${messageOf(error).split('\n')[0]}). Make sure that only the service's account, administrators and the people who scan can use it.`,
    );
    return undefined;
  }
}

function folderFault(dir: string, { owner, grants }: AccessRights, us: string): string | undefined {
  const isTrusted = (account: string): boolean =>
    account === us ||
    account === sids.SYSTEM ||
    account === sids.ADMINISTRATORS ||
    account === sids.TRUSTED_INSTALLER ||
    account === sids.CREATOR ||
    account === sids.OWNER_RIGHTS ||
    administrators.test(account) ||
    isService(account);
  // The owner can give itself every right.
  if (owner !== undefined && !isTrusted(owner))
    return `The data folder ${dir} belongs to another account (${owner}). If its content is yours, run: icacls "${dir}" /setowner "*${sids.ADMINISTRATORS}". Otherwise, set PLATEN_DATA_DIR to another folder.`;
  const others = grants.filter(({ account }) => !isTrusted(account));
  // This account may be one of the people who scan: what it may do is not looked at.
  const wrong = others.map(each => [each, wrongIn(each)] as const).find(([, what]) => what !== undefined);
  if (!wrong) return undefined;
  const [{ account }, what] = wrong;
  return `In the data folder ${dir}, the account ${account} may ${what}. Make sure that the folder holds none of its files, and run: ${fixes(dir, us, owner, grants, others).join(', then ')}.`;
}

/** What the account may do and must not. */
function wrongIn({ account, rights, inheritOnly, forFiles, forFolders }: Grant): string | undefined {
  const has = (mask: number): boolean => (rights & mask) !== 0;
  const isCrowd = crowds.includes(account);
  if (!inheritOnly && has(isCrowd ? WRITE : REPLACE | ADD_FOLDERS))
    return has(REPLACE) ? 'replace or rename it' : 'add to it';
  if (isCrowd && forFiles && has(READ)) return "read new files, such as the channel's secret";
  if (forFolders && has(READ | WRITE)) return "use the folders in it, such as the certificate's and those of pages";
  return undefined;
}

function secretFault(secret: string, rights: AccessRights | undefined): string | undefined {
  const reader = rights?.grants.find(
    ({ account, inheritOnly, rights: mask }) => !inheritOnly && crowds.includes(account) && (mask & READ) !== 0,
  );
  return (
    reader &&
    `The channel's secret ${secret} is readable by the account ${reader.account}, so it is not secret. Run: del "${secret}", then restart the service and the desktop application. If the new one is readable too, run: icacls "${win32.dirname(secret)}" /remove:g "*${reader.account}".`
  );
}

/** Commands in order: what stays is granted before anything is taken away. */
function fixes(
  dir: string,
  us: string,
  owner: string | undefined,
  grants: readonly Grant[],
  others: readonly Grant[],
): string[] {
  const unique = (accounts: readonly string[]): string[] => [...new Set(accounts)];
  const services = grants.map(({ account }) => account).filter(isService);
  const full = unique([sids.SYSTEM, sids.ADMINISTRATORS, ...services, ...(owner === us || isService(us) ? [us] : [])]);
  const strangers = unique(others.map(({ account }) => account));
  const people = unique([
    ...strangers.filter(account => !crowds.includes(account)),
    ...(full.includes(us) ? [] : [us]),
  ]);
  const icacls = (what: string, entries: readonly string[]): string =>
    `icacls "${dir}" ${what} ${entries.map(entry => `"${entry}"`).join(' ')}`;
  return [
    icacls(
      '/inheritance:r /grant:r',
      full.map(account => `${named(account)}:(OI)(CI)F`),
    ),
    icacls('/remove:g', strangers.map(named)),
    ...(people.length > 0
      ? [
          icacls(
            '/grant',
            people.flatMap(account => [`${named(account)}:(RX,WD)`, `${named(account)}:(OI)(IO)(NP)M`]),
          ),
        ]
      : []),
  ];
}

/** As icacls takes an account. */
const named = (account: string): string => (account.startsWith('S-1-') ? `*${account}` : account);
