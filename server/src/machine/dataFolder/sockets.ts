/** Where the holder of a data folder listens: a socket in the folder, or a pipe on Windows. */
import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../configError.js';
import { platform } from '../platform.js';
import { secretOf } from './dataFolderMark.js';

/** A socket's path has at most 104 bytes on macOS and 108 on Linux, including the final zero. */
const LONGEST_PATH = 103;

export interface PrivateSocket {
  /** To listen and connect at. */
  readonly path: string;
  /** When nothing listens any more. */
  release(): void;
}

/**
 * A socket that only this account can reach. What an ended process left under its name goes.
 * @param dir the data folder, whose lock the caller holds
 */
export function privateSocket(dir: string): PrivateSocket {
  if (platform === 'win32') return { path: pipeOf(dir, `${realpathSync(dir)}\0scan`), release: () => undefined };
  const file = join(dir, 'scan.sock');
  unlinkQuietly(file);
  const { short, release } = shortPath(file);
  return { path: short, release };
}

export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Every account sees the names of pipes, so the name contains a hash of a secret that only readers of the data folder
 * know.
 */
export function pipeOf(dir: string, what: string): string {
  const hash = createHash('sha256')
    .update(`${what}\0${secretOf(dir)}`)
    .digest('hex');
  return `\\\\.\\pipe\\platen-${hash.slice(0, 20)}`;
}

/**
 * Gives a socket a short path, however long the folder's is, by a link in a temporary folder. The socket itself is in
 * the data folder, where no other account can create it first.
 * @param use listens or connects at the path before it returns
 */
export async function withShortPath<T>(path: string, use: (short: string) => Promise<T>): Promise<T> {
  const { short, release } = shortPath(path);
  try {
    return await use(short);
  } finally {
    release();
  }
}

/** @returns `release` removes the link */
function shortPath(path: string): { readonly short: string; release(): void } {
  if (Buffer.byteLength(path) <= LONGEST_PATH) return { short: path, release: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'platen-'));
  const release = (): void => rmSync(folder, { recursive: true, force: true });
  const link = join(folder, 'd');
  try {
    symlinkSync(dirname(path), link);
  } catch (error) {
    release();
    throw error;
  }
  return { short: join(link, basename(path)), release };
}
