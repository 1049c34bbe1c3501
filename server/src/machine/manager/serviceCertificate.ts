/**
 * The certificate of the Linux service, made with the rights of its account and trusted with those of root.
 *
 * The account's files are not trusted with root's rights: root reads the certificate as the account, and trusts only one
 * as Platen makes them.
 */
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { DATA } from '../linuxService.js';
import { ownCertificatesIn } from '../tls/ownShape.js';
import { bundleIn } from '../tls/pair.js';
import type { LinuxStore } from '../tls/trust/linuxSystem.js';
import { TrustError, type PublicCertificate } from '../tls/trust/store.js';
import type { linuxAccount } from './linuxAccount.js';
import { ServiceError } from './manager.js';

/** All certificates; versions before the successors had the other file only. */
const CERTIFICATES = [bundleIn(DATA), join(DATA, 'certificate', 'cert.pem')];
/** Neither a pipe nor a large file in the account's folder keeps root waiting. */
const READ = 'test -f "$1" || shift; test -f "$1" && exec head -c 65536 "$1"';

export interface CertificatePlace {
  readonly node: string;
  /** `bin/platen.cjs` of the server. */
  readonly program: string;
  readonly account: ReturnType<typeof linuxAccount>;
  /** With numbered copies. */
  readonly store: LinuxStore;
}

export interface MadeCertificate {
  /** Whether another one is served than before. */
  readonly isNew: boolean;
  /** What the command said that made it. */
  readonly said: string;
  /** Whether trust was added. */
  readonly isAdded: boolean;
  /** Why it is not trusted, with the fix. */
  readonly failure?: string;
}

/** Idempotent. @throws ServiceError if there is none in the end */
export async function makeServiceCertificate(place: CertificatePlace): Promise<MadeCertificate> {
  const { node, program, account, store } = place;
  const before = await serviceCertificates(account);
  const { code, said } = await account.run(node, program, 'cert', 'install', '--no-trust', '--successors');
  if (code !== 0)
    throw new ServiceError(
      `The certificate could not be made with the rights of the account platen: ${said.replaceAll('\n', ' ')}`,
    );
  const certificates = await serviceCertificates(account);
  const [first] = certificates;
  if (!first) throw new ServiceError(`${CERTIFICATES[0]} has something that Platen did not make; it is not trusted.`);
  const made = { isNew: before[0]?.sha1 !== first.sha1, said };
  try {
    for (const old of [...before, ...(await store.held())])
      if (!certificates.some(({ sha1 }) => sha1 === old.sha1)) await store.remove(old);
    const trusted = await Promise.all(certificates.map(each => store.trusted(each)));
    if (!trusted.includes(false)) return { ...made, isAdded: false };
    await store.add(certificates);
    return { ...made, isAdded: true };
  } catch (error) {
    if (!(error instanceof TrustError)) throw error;
    return { ...made, isAdded: false, failure: error.message };
  }
}

/** Empty if the account has none, or one that Platen did not make. */
export async function serviceCertificates(account: CertificatePlace['account']): Promise<readonly PublicCertificate[]> {
  const { code, said } = await account.run('timeout', '10', 'sh', '-c', READ, 'sh', ...CERTIFICATES);
  if (code !== 0) return [];
  return ownCertificatesIn(said).map(pem => ({
    pem,
    sha1: new X509Certificate(pem).fingerprint.replaceAll(':', ''),
  }));
}
