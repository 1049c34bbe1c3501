/**
 * Tells whether a folder is Platen's data folder: it has the marker, is empty, or somebody prepared it, with a
 * certificate of the organisation or from another computer's backup.
 */
import { randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync, type Stats } from 'node:fs';
import { lstat, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf } from '../rights/access.js';
import { DATA } from '../linuxService.js';

/** The file that marks the folder. Only its existence and its owner, who must be the folder's, count. */
export const MARKER = 'platen-data-folder';

/** Its last line is a secret. */
const markerText =
  (): string => `This folder is Platen's: certificate, spool, trays and drivers' files. The service removes its own files here.
${randomUUID()}
`;

/** Entries that Platen, its plugins and the operating system make. */
const known =
  /^(?:certificate|channel\.secret|escl|lock\.sock|ocr|spool|trays|trust\.json|(?:channel|host)-.+\.sock|\.certificate-(?:new|old)-[\da-f]+|\.probe-\d+|\.DS_Store|desktop\.ini)$/;

/** The fix for a folder of another account. A folder of one's own would make a second service, with its own certificate. */
export const asOwner = (dir: string): string =>
  dir === DATA
    ? 'Run this as its account, with "sudo -u platen" before it. The service starts with: sudo systemctl start platen.'
    : "Run this as the account that runs the service, or set PLATEN_DATA_DIR to that account's folder.";

/** In the subject of certificates that `platen cert install` makes. */
const ourSubject = 'O=Platen on this computer';

/**
 * Returns why the folder cannot be used, and the fix; undefined if it is, or may become, Platen's. Changes nothing.
 * @param dir exists; a link to a folder counts as the folder
 * @param options.anyOwner root checks the folder of the service's account
 * @throws the operating system's error
 */
export async function foreignFolder(dir: string, { anyOwner = false } = {}): Promise<string | undefined> {
  if (!(await stat(dir)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  const access = await accessOf(dir);
  if (access && !access.own && !anyOwner)
    return `The data folder ${dir} belongs to another account, which could read the certificate's key. ${asOwner(dir)}`;
  // They could have put files there that would pass for Platen's.
  if (access?.othersWrite === true) {
    return `The data folder ${dir} is writable by other accounts. Set PLATEN_DATA_DIR to another folder; or, if it is Platen's, make sure that it holds none of their files and run: chmod 700 "${dir}".`;
  }
  const names = await readdir(dir);
  if (names.length === 0 || (await isMarked(dir)) || (await isPrepared(dir, names, access?.shared !== true)))
    return undefined;
  return `The data folder ${dir} holds files that are not Platen's; nothing in it was changed. Set PLATEN_DATA_DIR to an empty or a new folder; or, if this one is Platen's, create an empty file named ${MARKER} in it.`;
}

export async function isMarked(dir: string): Promise<boolean> {
  const marker = await lstat(join(dir, MARKER)).catch(() => undefined);
  return marker !== undefined && marker.isFile() && isOwn(marker, await stat(dir));
}

/** The folder's secret, for names that every account can see; empty if Platen did not write the marker. */
export function secretOf(dir: string): string {
  try {
    return readFileSync(join(dir, MARKER), 'utf8').trim().split('\n').at(-1) ?? '';
  } catch {
    return '';
  }
}

export async function mark(dir: string): Promise<void> {
  const file = await open(join(dir, MARKER), 'wx', 0o600).catch(async (error: unknown) => {
    // Two processes may start at once.
    if (await isMarked(dir)) return undefined;
    throw error;
  });
  if (!file) return;
  try {
    await file.writeFile(markerText());
  } finally {
    await file.close();
  }
}

/**
 * The folder is private, and Platen makes every entry and the folder's owner owns it; or it has Platen's certificate,
 * beside any other file.
 */
async function isPrepared(dir: string, names: readonly string[], isPrivate: boolean): Promise<boolean> {
  const folderStats = await stat(dir);
  const isOurs = (found: Stats): boolean => !found.isSymbolicLink() && isOwn(found, folderStats);
  const entries = await Promise.all(names.map(async name => ({ name, found: await lstat(join(dir, name)) })));
  if (isPrivate && entries.every(({ name, found }) => known.test(name) && isOurs(found))) return true;
  const folder = join(dir, 'certificate');
  const own = await Promise.all(
    [folder, join(folder, 'cert.pem'), join(folder, 'key.pem')].map(path => lstat(path).catch(() => undefined)),
  );
  if (!own.every(found => found !== undefined && isOurs(found))) return false;
  try {
    return new X509Certificate(await readFile(join(folder, 'cert.pem'))).subject.includes(ourSubject);
  } catch {
    return false;
  }
}

/** The folder's owner made it, or root. */
const isOwn = ({ uid }: Stats, folder: Stats): boolean => uid === folder.uid || uid === 0;
