/** The service's certificate in the data folder: reads and checks it, and creates it if necessary. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf } from '../config/access.js';
import { systemCode } from '../config/error.js';
import { createCertificate } from './create.js';
import { CertificateError } from './error.js';

export { createCertificate, removeCertificate } from './create.js';
export { CertificateError, type CertificateFault } from './error.js';

/** The public part of a certificate. */
export interface PublicPart {
  /** PEM. */
  readonly cert: string;
  /** Upper-case hexadecimal without colons, as Windows shows it. */
  readonly thumbprintSha1: string;
  readonly thumbprintSha256: string;
  readonly expires: Date;
  /** Whole days; 0 if it has expired. */
  readonly daysLeft: number;
}

export interface Certificate extends PublicPart {
  /** PEM. */
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * @param dir the data folder
 * @throws {CertificateError} a sentence with the command that fixes it
 */
export async function readCertificate(dir: string, now: Date = new Date()): Promise<Certificate> {
  const keyFile = join(dir, 'certificate', 'key.pem');
  const certFile = join(dir, 'certificate', 'cert.pem');
  await assertOurs(dir, [join(dir, 'certificate'), certFile, keyFile]);
  const cert = await readPem(certFile);
  const key = await readPem(keyFile);
  if ((await accessOf(keyFile))?.shared === true) {
    throw new CertificateError('key-readable', `Other accounts can read the certificate's key ${keyFile}`);
  }
  const x509 = parse(certFile, () => new X509Certificate(cert));
  const privateKey = parse(keyFile, () => createPrivateKey(key));
  if (!x509.checkPrivateKey(privateKey)) {
    throw new CertificateError('key-mismatch', `The key ${keyFile} does not belong to the certificate ${certFile}`);
  }
  const begins = new Date(x509.validFrom);
  const expires = new Date(x509.validTo);
  if (now < begins) {
    throw new CertificateError(
      'not-yet-valid',
      `The certificate ${certFile} is not valid before ${begins.toISOString()} (check this computer's clock)`,
    );
  }
  if (now >= expires)
    throw new CertificateError('expired', `The certificate ${certFile} expired on ${expires.toISOString()}`);
  return { key, ...describe(cert, x509, now) };
}

/** The certificate without its key, valid or not; undefined if it is missing or unreadable. */
export async function readPublicPart(dir: string, now: Date = new Date()): Promise<PublicPart | undefined> {
  try {
    const cert = await readFile(join(dir, 'certificate', 'cert.pem'), 'utf8');
    return describe(cert, new X509Certificate(cert), now);
  } catch {
    return undefined;
  }
}

function describe(cert: string, x509: X509Certificate, now: Date): PublicPart {
  const expires = new Date(x509.validTo);
  return {
    cert,
    thumbprintSha1: x509.fingerprint.replaceAll(':', ''),
    thumbprintSha256: x509.fingerprint256.replaceAll(':', ''),
    expires,
    daysLeft: Math.max(0, Math.floor((expires.getTime() - now.getTime()) / DAY_MS)),
  };
}

/** Creates a certificate unless there is a valid one; idempotent, also if two processes do it at once. */
export async function ensureCertificate(
  dir: string,
  now: Date = new Date(),
): Promise<Certificate & { readonly created: boolean }> {
  try {
    return { ...(await readCertificate(dir, now)), created: false };
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    await createCertificate(dir, now, { keep: error.fault === 'missing' });
    return { ...(await readCertificate(dir, now)), created: true };
  }
}

/** A link, or another account's file, could be a certificate whose key that account has. Root has every key anyway. */
async function assertOurs(dir: string, paths: readonly string[]): Promise<void> {
  const owner = (await stat(dir).catch(() => undefined))?.uid;
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined);
    if (found && (found.isSymbolicLink() || (found.uid !== owner && found.uid !== 0)))
      throw new CertificateError('unreadable', `${path} is a link or belongs to another account`);
  }
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new CertificateError('missing', `There is no certificate: ${file} is missing`, { cause: error });
    throw new CertificateError('unreadable', `${file} cannot be read (${code ?? String(error)})`, { cause: error });
  }
}

function parse<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CertificateError('unreadable', `${file} is damaged`, { cause: error });
  }
}
