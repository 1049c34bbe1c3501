/** The doctor's checks of the certificate and of the trust stores. */
import { CertificateError, readCertificate, readPublicPart } from '../tls/certificate.js';
import { whereTrusted } from '../tls/trust/trust.js';
import type { Facts } from './facts.js';
import { failed, notReached, ok, skipped, type Outcome } from './finding.js';

const WARN_DAYS = 30;

export async function certificate(facts: Facts): Promise<Outcome> {
  const { dataDir } = facts;
  if (dataDir === undefined) return notReached('the data folder');
  const part = await readPublicPart(dataDir);
  if (part) facts.certificate = part;
  try {
    const { expires, daysLeft } = await readCertificate(dataDir);
    facts.certificateValid = true;
    const left = `valid until ${expires.toISOString()}, ${daysLeft} days`;
    return ok(daysLeft > WARN_DAYS ? left : `${left}. Renew it soon: platen cert remove, then platen cert install`);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return failed(`${error.what}.`, `${error.remedy.charAt(0).toUpperCase()}${error.remedy.slice(1)}.`);
  }
}

export async function trust({ dataDir, certificate: part, certificateValid, stores, env }: Facts): Promise<Outcome> {
  if (dataDir === undefined || !part || !certificateValid) return notReached('the certificate');
  const { all, chosen } = await stores(dataDir, env);
  const asked = await whereTrusted({ pem: part.cert, sha1: part.thumbprintSha1 }, { all, chosen });
  const without = asked.filter(({ trusted }) => trusted === false).map(({ store }) => store);
  const within = asked.filter(({ trusted }) => trusted === true).map(({ store }) => store);
  // If an account installs into one of several stores, each serves all programs; otherwise each program has its own.
  const enough = chosen.length < all.length ? within.length > 0 : without.length === 0;
  const unknown = asked.flatMap(({ trusted, store, error }) =>
    trusted === undefined ? [`Could not find out whether ${store} trusts it. ${error ?? ''}`.trim()] : [],
  );
  if (enough && within.length > 0) return ok([`trusted in ${within.join(', ')}`, ...unknown].join('. '));
  if (without.length > 0) {
    return failed(
      `Not trusted in ${without.join(', ')}: browsers will reject it or warn.`,
      ['Run: platen cert install. Then restart the browsers.', ...unknown].join('\n'),
    );
  }
  return skipped(unknown.join(' ') || 'this system has no known trust store');
}
