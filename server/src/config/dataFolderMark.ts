/** Whether a folder is a data folder of Platen's: it has our marker, is empty, or is what a version before the marker left. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { readFileSync, type Stats } from 'node:fs';
import { lstat, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf } from './access.js';

/** A file that says whose the folder is; that it is there, and its owner the folder's, is all that counts. */
export const MARKER = 'platen-data-folder';

/** Its last line is a secret of the folder's. */
const markerText =
  (): string => `This folder is Platen's: certificate, spool, trays and what drivers keep. The service removes files of its own here.
${randomUUID()}
`;

/** What versions before the marker, and the plugins of ours, made in a data folder; the system's own litter too. */
const known =
  /^(?:certificate|channel\.secret|escl|lock\.sock|ocr|spool|trays|trust\.json|(?:channel|host)-.+\.sock|\.certificate-(?:new|old)-[\da-f]+|\.probe-\d+|\.DS_Store|desktop\.ini)$/;

/** Of a certificate that `platen cert install` makes. */
const ourSubject = 'O=Platen on this computer';

/**
 * Why the folder is not to be used, and what to do; undefined where it is, or may become, Platen's. Nothing is changed.
 * @param dir exists; a link to a folder is that folder
 * @param options.anyOwner root looks at the folder of the account that runs the service
 * @throws what the operating system says
 */
export async function foreignFolder(dir: string, { anyOwner = false } = {}): Promise<string | undefined> {
  if (!(await stat(dir)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  const access = await accessOf(dir);
  if (access && !access.own && !anyOwner)
    return `The data folder ${dir} belongs to another account, which could read the certificate's key; name another one in PLATEN_DATA_DIR.`;
  // They could have laid things into it that would then be taken for ours.
  if (access?.othersWrite === true) {
    return `The data folder ${dir} can be written to by other accounts: name another one in PLATEN_DATA_DIR; or, where it is Platen's, see that nothing in it is theirs and run: chmod 700 "${dir}".`;
  }
  const names = await readdir(dir);
  if (names.length === 0 || (await isMarked(dir)) || (await isOfBefore(dir, names, access?.shared !== true)))
    return undefined;
  return `The data folder ${dir} holds things that are not Platen's, and nothing in it was changed: name an empty or a new one in PLATEN_DATA_DIR; or, where it is Platen's all the same, make an empty file in it that is called ${MARKER}.`;
}

export async function isMarked(dir: string): Promise<boolean> {
  const marker = await lstat(join(dir, MARKER)).catch(() => undefined);
  return marker !== undefined && marker.isFile() && isOwn(marker, await stat(dir));
}

/** For names that every account can see; empty in a folder without a marker of our making. */
export function secretOf(dir: string): string {
  try {
    return readFileSync(join(dir, MARKER), 'utf8').trim().split('\n').at(-1) ?? '';
  } catch {
    return '';
  }
}

export async function mark(dir: string): Promise<void> {
  const file = await open(join(dir, MARKER), 'wx', 0o600).catch(async (error: unknown) => {
    // Of two that start at once.
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

/** The folder is private, every entry is one that we make, and belongs to the folder's owner; or there is our certificate, beside whatever a person keeps there. */
async function isOfBefore(dir: string, names: readonly string[], isPrivate: boolean): Promise<boolean> {
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

/** The folder's owner made it, or root, who may do anything. */
const isOwn = ({ uid }: Stats, folder: Stats): boolean => uid === folder.uid || uid === 0;
