/** Who may read or write a file beside the account that runs the service, as POSIX modes tell. */
import { stat } from 'node:fs/promises';

export interface Access {
  /** Permission bits: `0o600`. */
  readonly mode: number;
  /** Whether the account that runs this process owns it. */
  readonly own: boolean;
  /** Whether other accounts may write; a group that is the process's own does not count as others. */
  readonly othersWrite: boolean;
  /** Whether the mode lets any other account, group included, read or write. */
  readonly shared: boolean;
}

/** Undefined where modes say nothing: on Windows, whose application data folders are private to their user; for the certificate's key see `keepToUs`. */
export async function accessOf(path: string): Promise<Access | undefined> {
  if (process.platform === 'win32') return undefined;
  const { mode, uid, gid } = await stat(path);
  const othersWrite = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getegid?.());
  return { mode: mode & 0o7777, own: uid === process.geteuid?.(), othersWrite, shared: (mode & 0o077) !== 0 };
}
