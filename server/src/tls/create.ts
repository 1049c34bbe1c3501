/** Creates this computer's self-signed certificate with its key in one step, and removes it. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../config/error.js';
import { platform } from '../config/platform.js';
import type { AccessRights } from '../config/sddl.js';
import { keepToUs } from '../config/windowsAccess.js';
import { generate } from './generate.js';
import { isService } from '../config/windowsDataFolder.js';
import { readRights } from '../config/windowsRights.js';

/**
 * Writes `certificate/cert.pem` and `certificate/key.pem` (0600; on Windows by access rights) in the data folder. The
 * folder appears as a whole: a reader finds a matching pair, or none.
 * @param options.keep keeps a certificate that another process made at the same time
 */
export async function createCertificate(
  dir: string,
  now: Date = new Date(),
  options: { readonly keep?: boolean } = {},
): Promise<void> {
  const pair = generate(now);
  const suffix = randomBytes(6).toString('hex');
  const made = join(dir, `.certificate-new-${suffix}`);
  await mkdir(made, { mode: 0o700 });
  try {
    if (platform === 'win32') await keepToUs(made, await servicesOf(dir));
    await write(join(made, 'key.pem'), pair.key);
    await write(join(made, 'cert.pem'), pair.cert);
    await putInPlace(made, join(dir, 'certificate'), join(dir, `.certificate-old-${suffix}`), options.keep === true);
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
    await rename(join(dir, 'certificate'), away);
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
