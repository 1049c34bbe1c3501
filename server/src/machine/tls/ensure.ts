/** Sees to it that there is a valid certificate with as many successors as wanted; keeps what is good. */
import { X509Certificate } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { readCertificate, readCertificates, servedOf, type Certificate, type Certificates } from './certificate.js';
import { chainFrom, type Period } from './choose.js';
import { createCertificate, newCertificates, successorsOf, writeCertificates, type KeyAndCert } from './create.js';
import { CertificateError } from './error.js';
import { isOwnCertificate } from './ownShape.js';
import { bundleIn } from './pair.js';

export interface Ensured extends Certificate {
  /** Whether it is new. */
  readonly created: boolean;
  /** How many successors are new. */
  readonly added: number;
}

/**
 * Idempotent, also if two processes do it at once. Certificates that have expired are dropped once there are others.
 * @param count with the served one
 */
export async function ensureCertificate(dir: string, now: Date = new Date(), count = 1): Promise<Ensured> {
  const found = await readCertificates(dir, now);
  let served: Certificate;
  try {
    served = servedOf(found, now);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    await createCertificate(dir, now, { count, keep: error.fault === 'missing' });
    return { ...(await readCertificate(dir, now)), created: true, added: count - 1 };
  }
  // An organisation's own certificate: it is theirs to replace.
  if (!isOwnCertificate(served.cert)) return { ...served, created: false, added: 0 };
  const made = missingFrom(served, found.usable, count, now);
  const added = made.length;
  const kept = found.usable.filter(({ expires }) => expires > now);
  const isWhole = found.damaged.length === 0 && !found.fault && kept.length === found.usable.length;
  const hasBundle = await lstat(bundleIn(dir)).then(
    () => true,
    () => false,
  );
  if (added === 0 && isWhole && hasBundle) return { ...served, created: false, added };
  const others = kept.filter(each => each !== served).slice(0, MOST - 1 - added);
  await writeCertificates(dir, [served, ...others, ...made], false);
  return { ...(await readCertificate(dir, now)), created: false, added };
}

/** @returns the successors that are missing between those that there are, and after them, for a chain of so many */
function missingFrom(
  served: Certificate,
  usable: readonly Certificate[],
  count: number,
  now: Date,
): readonly KeyAndCert[] {
  const all: (KeyAndCert & Period)[] = [...usable];
  const made: KeyAndCert[] = [];
  for (;;) {
    const chain = chainFrom<KeyAndCert & Period>(served, all);
    if (chain.length >= count) return made;
    for (const each of successorsOf(chain.at(-1) ?? served, 1, now)) {
      const { validFrom, validTo } = new X509Certificate(each.cert);
      all.push({ ...each, begins: new Date(validFrom), expires: new Date(validTo) });
      made.push(each);
    }
  }
}

/**
 * A new certificate of the service's own making, where no store has one. The others stay: if the clock was wrong, they
 * are valid again.
 */
export async function renewAlone(dir: string, { usable }: Certificates, now: Date): Promise<void> {
  const [made] = newCertificates(1, now);
  await writeCertificates(dir, [made, ...usable].slice(0, MOST), false);
}

/** As many as there are file names. */
const MOST = 9;
