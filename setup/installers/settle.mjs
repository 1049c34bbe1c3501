/** The same modes and times for the same files, wherever and whenever they were unpacked. */
import { chmodSync, closeSync, lstatSync, lutimesSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Everyone may read, only the owner may write. Programs stay programs; packages mark licences and the like as some, too.
 * @param {string} folder
 * @param {number} epoch seconds since 1970
 * @param {readonly string[]} [programs] further files that are programs
 */
export function settle(folder, epoch, programs = []) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) settle(path, epoch, programs);
    else if (entry.isFile()) chmodSync(path, programs.includes(path) || isProgram(path) ? 0o755 : 0o644);
    lutimesSync(path, epoch, epoch);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, epoch, epoch);
}

/** Marked as one, and a script with its interpreter, or of ELF (Linux) or Mach-O, for one or several processors (macOS). */
function isProgram(file) {
  if (!(lstatSync(file).mode & 0o100)) return false;
  const head = Buffer.alloc(4);
  const open = openSync(file, 'r');
  try {
    readSync(open, head);
  } finally {
    closeSync(open);
  }
  return head.toString('latin1', 0, 2) === '#!' || /^(7f454c46|cffaedfe|cafebabe)$/.test(head.toString('hex'));
}
