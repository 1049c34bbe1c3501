/** npm's own answers to what a package holds: its list of packed files, and the tarball. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npm, npmOptions } from '../step.mjs';

const execute = promisify(execFile);
/** Bytes: the list of all packages' files is about 0.5 MB. */
const maxBuffer = 64 * 2 ** 20;

/**
 * @param {string[]} folders of packages
 * @returns {Promise<Map<string, string[]>>} by the package's name, the files that npm packs, relative, with `/`
 */
export async function packedFiles(folders) {
  const reports = await pack([...folders, '--dry-run']);
  return new Map(reports.map(({ name, files }) => [name, files.map(each => each.path).sort()]));
}

/**
 * @param {string[]} folders of packages
 * @param {string} destination a folder
 * @returns {Promise<{ name: string, version: string, file: string, integrity: string }[]>} the tarballs, in the order of the folders.
 *   The same files give the same bytes: npm writes one fixed time for all of them.
 */
export async function packFolders(folders, destination) {
  if (folders.length === 0) return [];
  const reports = await pack([...folders, '--pack-destination', destination]);
  return reports.map(({ name, version, filename, integrity }) => ({
    name,
    version,
    file: join(destination, filename.replace('@', '').replace('/', '-')),
    integrity,
  }));
}

async function pack(args) {
  const [program, ...first] = npm('pack', '--json', '--ignore-scripts', '--loglevel=error', ...args);
  const { stdout } = await execute(program, first, { ...npmOptions, maxBuffer });
  return JSON.parse(stdout);
}
