/** Which accounts beside the service's own may read or write a file, by POSIX modes. */
import { stat } from 'node:fs/promises';
import { platform } from '../platform.js';

export interface Access {
  /** Permission bits: `0o600`. */
  readonly mode: number;
  /** Whether the account that runs this process owns it. */
  readonly own: boolean;
  /** Whether other accounts may write; the process's own groups do not count as others. */
  readonly othersWrite: boolean;
  /** Whether any other account, the group included, may read or write. */
  readonly shared: boolean;
}

/**
 * Undefined on Windows, where modes mean nothing; for the data folder see `windowsDataFolderFault`, for the certificate's
 * key `keepToUs`.
 */
export async function accessOf(path: string): Promise<Access | undefined> {
  if (platform === 'win32') return undefined;
  const { mode, uid, gid } = await stat(path);
  const othersWrite = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getegid?.());
  return { mode: mode & 0o7777, own: uid === process.geteuid?.(), othersWrite, shared: (mode & 0o077) !== 0 };
}
