/**
 * Paths below a folder that stands for a system's root. Its links are followed as that system would follow them: an
 * absolute one starts at the folder again, and none leads out of it.
 */
import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../configError.js';
import { ServiceError } from './manager.js';

/** As Linux: path_resolution(7). */
const MOST_LINKS = 40;
/** Files that useradd(8) and its relatives read and write by their plain names, following links of this system. */
const ACCOUNT_FILES = ['passwd', 'group', 'shadow', 'gshadow', 'login.defs', 'default/useradd'];

export interface ImagePaths {
  /** Folders and files that are read, through links; of these, those that do not exist are made there. */
  readonly through: readonly string[];
  /** Files that are written or removed: a link in their place is refused. */
  readonly written: readonly string[];
}

/**
 * @param root absolute; empty for this system, whose links are its own matter
 * @returns where a path of the image is on this system
 * @throws ServiceError for a link in place of a written file or in the path of the accounts' files; for too many links
 */
export async function imagePaths(root: string, { through, written }: ImagePaths): Promise<(path: string) => string> {
  if (root === '') return path => path;
  const real = await realpath(root).catch(() => {
    throw new ServiceError(`There is no folder ${root}: --root takes the root of a system.`);
  });
  for (const name of ACCOUNT_FILES) {
    const path = join('/etc', name);
    if ((await inImage(real, path)) !== join(real, path))
      throw new ServiceError(
        `${join(root, path)} is a link or behind one, which the system's programs for accounts would follow out of the image. Nothing was changed: put a file in its place, or run "platen service install" in the image itself.`,
      );
  }
  const found = new Map<string, string>();
  for (const path of through) found.set(path, await inImage(real, path));
  for (const path of written) {
    const file = join(await inImage(real, dirname(path)), path.slice(dirname(path).length));
    if ((await look(file))?.isSymbolicLink() === true)
      throw new ServiceError(
        `${join(root, path)} is a link. Nothing was changed: put a file in its place, or remove it.`,
      );
    found.set(path, file);
  }
  return path => {
    const place = found.get(path);
    if (place === undefined) throw new RangeError(`${path} is not a path that was looked up`);
    return place;
  };
}

/** @param root without links @returns the path without links, as far as it exists */
async function inImage(root: string, path: string): Promise<string> {
  let at = root;
  const rest = namesOf(path);
  for (let links = 0; ;) {
    const name = rest.shift();
    if (name === undefined) return at;
    if (name === '..') {
      if (at !== root) at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if ((await look(next))?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw new ServiceError(`${join(root, path)} has more than ${MOST_LINKS} links.`);
    const target = await readlink(next);
    if (target.startsWith('/')) at = root;
    rest.unshift(...namesOf(target));
  }
}

const namesOf = (path: string): string[] => path.split('/').filter(name => name !== '' && name !== '.');

const look = (path: string) =>
  lstat(path).catch((error: unknown) => {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  });
