/** The same modes and times for the same files, wherever and whenever they were unpacked. */
import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everyone may read, only the owner may write. Programs stay programs.
 * @param {string} folder
 * @param {number} epoch seconds since 1970
 * @param {readonly string[]} [programs] further files that are programs
 */
export function settle(folder, epoch, programs = []) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) settle(path, epoch, programs);
    else if (entry.isFile()) chmodSync(path, programs.includes(path) || lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
    lutimesSync(path, epoch, epoch);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, epoch, epoch);
}
