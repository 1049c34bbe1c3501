/**
 * Who owns a file of Windows and who may do what with it, from SDDL, which is not translated:
 * https://learn.microsoft.com/windows/win32/secauthz/security-descriptor-string-format
 */

/** An entry that allows something. Entries that forbid are left out, as if they did not apply. */
export interface Grant {
  /** A SID; two letters for an account of the domain, such as `DU`. */
  readonly account: string;
  /** Access mask. */
  readonly rights: number;
  /** Applies to new entries below only, not to the path itself. */
  readonly inheritOnly: boolean;
  /** New files get it. */
  readonly forFiles: boolean;
  /** New folders get it, or hand it on to what is made in them. */
  readonly forFolders: boolean;
}

export interface AccessRights {
  /** A SID, or two letters; undefined if it was not given. */
  readonly owner: string | undefined;
  readonly grants: readonly Grant[];
}

/** Accounts that have the same SID on every computer: https://learn.microsoft.com/windows/win32/secauthz/sid-strings */
export const sids = {
  SYSTEM: 'S-1-5-18',
  ADMINISTRATORS: 'S-1-5-32-544',
  LOCAL_SERVICE: 'S-1-5-19',
  NETWORK_SERVICE: 'S-1-5-20',
  EVERYONE: 'S-1-1-0',
  ANONYMOUS: 'S-1-5-7',
  AUTHENTICATED: 'S-1-5-11',
  NETWORK: 'S-1-5-2',
  INTERACTIVE: 'S-1-5-4',
  USERS: 'S-1-5-32-545',
  GUESTS: 'S-1-5-32-546',
  TRUSTED_INSTALLER: 'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  CREATOR: 'S-1-3-0',
  OWNER_RIGHTS: 'S-1-3-4',
} as const;

const letters: Readonly<Record<string, string>> = {
  SY: sids.SYSTEM,
  BA: sids.ADMINISTRATORS,
  LS: sids.LOCAL_SERVICE,
  NS: sids.NETWORK_SERVICE,
  WD: sids.EVERYONE,
  AN: sids.ANONYMOUS,
  AU: sids.AUTHENTICATED,
  NU: sids.NETWORK,
  IU: sids.INTERACTIVE,
  BU: sids.USERS,
  BG: sids.GUESTS,
  CO: sids.CREATOR,
  OW: sids.OWNER_RIGHTS,
};

/** Access rights as two letters: https://learn.microsoft.com/windows/win32/secauthz/ace-strings */
const words: Readonly<Record<string, number>> = {
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

/** To read data or list a folder. */
export const READ = 0x1 | 0x1000_0000 | 0x8000_0000;
/** To replace it: delete children, delete, write its access rights, take ownership. */
export const REPLACE = 0x40 | 0x1_0000 | 0x4_0000 | 0x8_0000 | 0x1000_0000;
/** To add folders to a folder, or append to a file. */
export const ADD_FOLDERS = 0x4 | 0x4000_0000;
/** To write data or add files, too. */
export const WRITE = REPLACE | ADD_FOLDERS | 0x2;

/** Two letters as the SID, where it is the same on every computer. */
export const sidOf = (account: string): string => letters[account] ?? account;

/** @param text such as `O:BAG:SYD:PAI(A;OICI;FA;;;SY)` */
export function parseSddl(text: string): AccessRights {
  const owner = /^O:(S-[\d-]+|[A-Z]{2})/.exec(text)?.[1];
  const list = /D:([A-Z_]*)((?:\(.*\))?)/s.exec(text);
  return {
    owner: owner === undefined ? undefined : sidOf(owner),
    // Without a list, Windows lets everyone do everything; an empty list allows nothing.
    grants: !list || list[1] === 'NO_ACCESS_CONTROL' ? [everything] : entriesOf(list[2] ?? '').flatMap(grantOf),
  };
}

const everything: Grant = {
  account: sids.EVERYONE,
  rights: words['FA']!,
  inheritOnly: false,
  forFiles: true,
  forFolders: true,
};

/** What stands in parentheses; an entry with a condition has more of them inside. The list of audits (`S:`) is left out. */
function entriesOf(list: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let entry = '';
  for (const letter of list) {
    if (letter === ')' && --depth === 0) entries.push(entry);
    if (depth > 0) entry += letter;
    else if (letter === 'S') break;
    if (letter === '(' && ++depth === 1) entry = '';
  }
  return entries;
}

function grantOf(entry: string): Grant[] {
  const [type = '', flags = '', rights = '', , , account = ''] = entry.split(';');
  if (!/^(?:A|XA|OA)$/.test(type)) return [];
  const names: readonly string[] = flags.match(/../g) ?? [];
  return [
    {
      account: sidOf(account),
      rights: maskOf(rights),
      inheritOnly: names.includes('IO'),
      forFiles: names.includes('OI'),
      forFolders: names.includes('CI') || (names.includes('OI') && !names.includes('NP')),
    },
  ];
}

function maskOf(rights: string): number {
  if (/^\d/.test(rights)) return Number(rights);
  return (rights.match(/../g) ?? []).reduce((all, word) => all | (words[word] ?? 0), 0);
}
