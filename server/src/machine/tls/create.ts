/** Creates this computer's self-signed certificates with their keys in one step, adds successors, and removes all. */
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemCode } from '../configError.js';
import { platform } from '../platform.js';
import type { AccessRights } from '../rights/sddl.js';
import { keepToUs } from '../rights/windowsAccess.js';
import { nextBegin } from './choose.js';
import { generate } from './generate.js';
import { bundleIn, fileNames, folderIn } from './pair.js';
import { isService } from '../dataFolder/windowsDataFolder.js';
import { readRights } from '../rights/windowsRights.js';

export interface KeyAndCert {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

export interface CreateOptions {
  /** How many: the first is valid now, and each other one takes over from the one before it. 1 if absent. */
  readonly count?: number;
  /** Keeps a certificate that another process made at the same time. */
  readonly keep?: boolean;
}

export async function createCertificate(
  dir: string,
  now: Date = new Date(),
  { count = 1, keep = false }: CreateOptions = {},
): Promise<void> {
  await writeCertificates(dir, newCertificates(count, now), keep);
}

/** @returns so many, of which the first is valid now */
export function newCertificates(count: number, now: Date): readonly [KeyAndCert, ...KeyAndCert[]] {
  const first = generate(now);
  return [first, ...successorsOf(first, count - 1, now)];
}

/** @returns so many, each with a key of its own, that take over one after the other */
export function successorsOf(last: Pick<KeyAndCert, 'cert'>, count: number, now: Date): readonly KeyAndCert[] {
  const made: KeyAndCert[] = [];
  for (let before = last; made.length < count; before = made.at(-1) ?? last) {
    const { validTo } = new X509Certificate(before.cert);
    made.push(generate(nextBegin({ expires: new Date(validTo) }, now)));
  }
  return made;
}

/**
 * Writes `certificate/cert.pem` and `key.pem`, `cert-2.pem` and `key-2.pem` and so on (0600; on Windows by access
 * rights), and `trusted.pem` with all certificates. The folder appears as a whole: a reader finds matching pairs, or
 * none.
 */
export async function writeCertificates(dir: string, pairs: readonly KeyAndCert[], keep: boolean): Promise<void> {
  const suffix = randomBytes(6).toString('hex');
  const made = join(dir, `.certificate-new-${suffix}`);
  await mkdir(made, { mode: 0o700 });
  try {
    if (platform === 'win32') await keepToUs(made, await servicesOf(dir));
    for (const [at, pair] of pairs.entries()) {
      const names = fileNames(at + 1);
      await write(join(made, names.key), pair.key);
      await write(join(made, names.cert), pair.cert);
    }
    await write(join(made, basename(bundleIn(dir))), pairs.map(({ cert }) => cert).join(''));
    await putInPlace(made, folderIn(dir), join(dir, `.certificate-old-${suffix}`), keep);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * An administrator creates the certificate and a service reads it: each account of a service that may use the data
 * folder. If Windows does not tell the rights, there is none but the usual.
 */
async function servicesOf(dir: string): Promise<readonly string[]> {
  const { rights } = await readRights([dir]).catch(() => ({ rights: new Map<string, AccessRights>() }));
  const accounts = rights.get(dir)?.grants.map(({ account }) => account) ?? [];
  return [...new Set(accounts.filter(isService))];
}

/** @returns whether there was one */
export async function removeCertificate(dir: string): Promise<boolean> {
  const away = join(dir, `.certificate-old-${randomBytes(6).toString('hex')}`);
  try {
    await rename(folderIn(dir), away);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  await rm(away, { recursive: true, force: true });
  return true;
}

/** The errors of renaming onto a folder that is not empty; on Windows, EPERM. */
const occupied: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EACCES']);

async function putInPlace(made: string, place: string, old: string, keep: boolean): Promise<void> {
  try {
    return await rename(made, place);
  } catch (error) {
    if (!occupied.has(systemCode(error))) throw error;
  }
  if (keep && (await exists(join(place, 'key.pem'))) && (await exists(join(place, 'cert.pem')))) return;
  try {
    await rename(place, old);
    await rename(made, place);
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined);
  await file?.close();
  return file !== undefined;
}

/** Flushes to disk before the folder is renamed, so that a power cut cannot leave an empty file. */
async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
