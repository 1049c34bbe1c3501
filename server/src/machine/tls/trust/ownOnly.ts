/** Stores to which only Platen's own certificates are added, and from which nothing else is removed. */
import { X509Certificate } from 'node:crypto';
import { isOwnCertificate } from '../ownShape.js';
import { TrustError, type PublicCertificate, type TrustStore } from './store.js';
import type { TrustStores } from './stores.js';

/** The certificate and the record are files that other accounts may have written, and root or the system acts on them. */
export function ownOnly({ all, chosen }: TrustStores): TrustStores {
  const guards = new Map([...all, ...chosen].map(store => [store, guarded(store)]));
  const of = (stores: readonly TrustStore[]): TrustStore[] => stores.map(store => guards.get(store) ?? guarded(store));
  return { all: of(all), chosen: of(chosen) };
}

function guarded(store: TrustStore): TrustStore {
  return {
    name: store.name,
    trusted: certificate => store.trusted(certificate),
    asks: store.asks,
    async add(certificates) {
      if (!certificates.every(isOurs))
        throw new TrustError(
          'foreign',
          'The certificate is not one that Platen made. Run "platen cert remove", then "platen cert install".',
        );
      await store.add(certificates);
    },
    async remove(certificate) {
      if (isOurs(certificate)) return store.remove(certificate);
      if (!(await store.trusted(certificate))) return false;
      throw new TrustError('foreign', 'Platen did not make it: if nobody needs it there, remove it by hand.');
    },
  };
}

const isOurs = ({ pem, sha1 }: PublicCertificate): boolean =>
  isOwnCertificate(pem) && new X509Certificate(pem).fingerprint.replaceAll(':', '') === sha1;
