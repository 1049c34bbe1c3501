/** One certificate with its key, as files of the data folder: reads and checks both, but not whether it is valid now. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf } from '../rights/access.js';
import { systemCode } from '../configError.js';
import type { Period } from './choose.js';
import { CertificateError } from './error.js';

/** The public part of a certificate. */
export interface PublicPart extends Period {
  /** PEM. */
  readonly cert: string;
  /** Where it is. */
  readonly file: string;
  /** Upper-case hexadecimal without colons, as Windows shows it. */
  readonly thumbprintSha1: string;
  readonly thumbprintSha256: string;
  /** Whole days; 0 if it has expired. */
  readonly daysLeft: number;
}

export interface Certificate extends PublicPart {
  /** PEM. */
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const SUCCESSOR = /^cert-([2-9])\.pem$/;

export const folderIn = (dir: string): string => join(dir, 'certificate');
/** All certificates in one file, for programs that take their trust from a file. */
export const bundleIn = (dir: string): string => join(folderIn(dir), 'trusted.pem');
/** @param number from 1 to 9 */
export const fileNames = (number: number): { readonly cert: string; readonly key: string } =>
  number === 1 ? { cert: 'cert.pem', key: 'key.pem' } : { cert: `cert-${number}.pem`, key: `key-${number}.pem` };

/** The certificates that there are, and 1 in any case. */
export async function numbersIn(dir: string): Promise<readonly number[]> {
  const names = await readdir(folderIn(dir)).catch((): string[] => []);
  return [1, ...names.flatMap(name => SUCCESSOR.exec(name)?.[1] ?? []).map(Number)].sort((a, b) => a - b);
}

/** @throws {CertificateError} `missing`, `unreadable`, `key-readable` or `key-mismatch` */
export async function readPair(dir: string, number: number, now: Date): Promise<Certificate> {
  const names = fileNames(number);
  const [certFile, keyFile] = [join(folderIn(dir), names.cert), join(folderIn(dir), names.key)];
  await assertOurs(dir, [folderIn(dir), certFile, keyFile]);
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
  return { key, ...describe(cert, certFile, x509, now) };
}

/** The certificate without its key; undefined if it is missing or unreadable. */
export async function readCertOnly(dir: string, number: number, now: Date): Promise<PublicPart | undefined> {
  const file = join(folderIn(dir), fileNames(number).cert);
  try {
    const cert = await readFile(file, 'utf8');
    return describe(cert, file, new X509Certificate(cert), now);
  } catch {
    return undefined;
  }
}

function describe(cert: string, file: string, x509: X509Certificate, now: Date): PublicPart {
  const expires = new Date(x509.validTo);
  return {
    cert,
    file,
    thumbprintSha1: x509.fingerprint.replaceAll(':', ''),
    thumbprintSha256: x509.fingerprint256.replaceAll(':', ''),
    begins: new Date(x509.validFrom),
    expires,
    daysLeft: daysUntil(expires, now),
  };
}

/** Whole days; 0 if it has passed. */
export const daysUntil = (end: Date, now: Date): number =>
  Math.max(0, Math.floor((end.getTime() - now.getTime()) / DAY_MS));

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
