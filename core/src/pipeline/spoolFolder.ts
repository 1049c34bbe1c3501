/** The spool's folder: made where there is none, private to its owner, and without the pages that a service before this one left there. */
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ScanError } from '../contract/errors.js';

/** A page's file is named by `randomUUID`. */
const page = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/**
 * Removes files of pages; whatever else lies in the folder was not made here and stays.
 * @throws ScanError `storage-failed` where the folder is a link, or another account's
 */
export async function openSpoolFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || !isOurs(found))
    throw new ScanError(
      'storage-failed',
      `${folder} is a link or belongs to another account, and is left alone: remove it, and start the service again.`,
    );
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) {
    if (!page.test(name)) continue;
    const file = join(folder, name);
    const stats = await lstat(file);
    if (stats.isFile() && isOurs(stats)) await rm(file, { force: true });
  }
}

/** Where accounts have numbers. */
const isOurs = ({ uid }: { readonly uid: number }): boolean =>
  process.geteuid === undefined || uid === process.geteuid();
