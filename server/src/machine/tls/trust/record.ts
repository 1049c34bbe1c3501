/**
 * Records which certificate was added to which store, in a file beside the certificate's folder, which is replaced as a
 * whole.
 */
import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRoot } from '../../platform.js';
import type { PublicCertificate } from './store.js';

export interface Entry extends PublicCertificate {
  /** The store's name. */
  readonly store: string;
}

const fileIn = (dir: string): string => join(dir, 'trust.json');

/** Empty if the record is missing or damaged: the stores are asked in any case. */
export async function readRecord(dir: string): Promise<Entry[]> {
  try {
    const value: unknown = JSON.parse(await readFile(fileIn(dir), 'utf8'));
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** @param entries empty: the file is removed */
export async function writeRecord(dir: string, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return rm(fileIn(dir), { force: true });
  const made = `${fileIn(dir)}.${randomBytes(6).toString('hex')}`;
  const file = await open(made, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(entries, null, 2)}\n`);
    // Root removes the certificates of a service, whose account reads the record.
    const { uid, gid } = await stat(dir);
    if (isRoot() && uid !== 0) await file.chown(uid, gid);
  } finally {
    await file.close();
  }
  await rename(made, fileIn(dir));
}

/**
 * Tells of each certificate whether a store was given it. If the record names none of them, nothing is known, as after
 * `install --no-trust`: all count as trusted.
 * @param all thumbprints, SHA-1
 */
export function isTrustedBy(record: readonly Entry[], all: readonly string[]): (sha1: string) => boolean {
  const given = new Set(record.map(each => each.sha1).filter(sha1 => all.includes(sha1)));
  return sha1 => given.size === 0 || given.has(sha1);
}

function isEntry(value: unknown): value is Entry {
  const { store, pem, sha1 } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof store === 'string' && typeof pem === 'string' && typeof sha1 === 'string' && /^[0-9A-F]{40}$/.test(sha1)
  );
}
