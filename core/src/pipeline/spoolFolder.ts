/** The spool's folder: created if missing, accessible to its owner only, and cleared of pages of a previous service. */
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ScanError } from '../contract/errors.js';

/** Page files are named by `randomUUID`. */
const page = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/**
 * Removes page files; all other files stay.
 * @throws ScanError `storage-failed` if the folder is a link or has another owner
 */
export async function openSpoolFolder(folder: string): Promise<void> {
  await assertOwnFolder(folder);
  for (const name of await readdir(folder)) {
    if (!page.test(name)) continue;
    const file = join(folder, name);
    const stats = await lstat(file);
    if (stats.isFile() && isOurs(stats)) await rm(file, { force: true });
  }
}

/** On systems with numeric user ids. */
export const isOurs = ({ uid }: { readonly uid: number }): boolean =>
  process.geteuid === undefined || uid === process.geteuid();

/**
 * Creates the folder if it is missing, accessible to its owner only.
 * @throws ScanError `storage-failed` if it is a link or has another owner
 */
export async function assertOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || !isOurs(found))
    throw new ScanError(
      'storage-failed',
      `${folder} is a link or belongs to another account and was not used. Remove it and start the service again.`,
    );
  // On a disk that became read-only, pages can still be delivered.
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}
