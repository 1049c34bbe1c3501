/** The doctor's checks of the certificate and of the trust stores. */
import {
  CertificateError,
  lastingOf,
  readCertificates,
  readPublicPart,
  readPublicParts,
  REMIND_DAYS,
  servedOf,
  type PublicPart,
} from '../../machine/tls/certificate.js';
import { commandFor } from '../../machine/linuxService.js';
import { chainFrom } from '../../machine/tls/choose.js';
import type { TrustStores } from '../../machine/tls/trust/stores.js';
import { whereTrusted } from '../../machine/tls/trust/trust.js';
import type { Facts } from './facts.js';
import { failed, notReached, ok, skipped, type Outcome } from './finding.js';

export async function certificate(facts: Facts): Promise<Outcome> {
  const { dataDir } = facts;
  if (dataDir === undefined) return notReached('the data folder');
  const now = new Date();
  const part = await readPublicPart(dataDir, now);
  if (part) facts.certificate = part;
  facts.certificates = await readPublicParts(dataDir, now);
  try {
    const found = await readCertificates(dataDir, now);
    const served = servedOf(found, now);
    facts.certificateValid = true;
    const { until, daysLeft, successors } = lastingOf(served, found.usable, found.isTrusted, now);
    const told = [`valid until ${served.expires.toISOString()}, ${served.daysLeft} days`];
    if (successors.length > 0)
      told.push(`The service changes to the next one by itself, until ${until.toISOString()}, ${daysLeft} days`);
    const again = commandFor(dataDir, 'platen cert install');
    told.push(...found.damaged.map(({ what }) => `${what}. To replace it, run: ${again}`));
    if (daysLeft < REMIND_DAYS) told.push(`Add successors soon: ${again}`);
    return ok(told.join('. '));
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return failed(`${error.what}.`, `${error.remedy.charAt(0).toUpperCase()}${error.remedy.slice(1)}.`);
  }
}

export async function trust(facts: Facts): Promise<Outcome> {
  const { dataDir, certificate: part, certificates = [], certificateValid, stores, env } = facts;
  if (dataDir === undefined || !part || !certificateValid) return notReached('the certificate');
  const { all, chosen } = await stores(env);
  const asked = await whereTrusted({ pem: part.cert, sha1: part.thumbprintSha1 }, { all, chosen });
  const without = asked.filter(({ trusted }) => trusted === false).map(({ store }) => store);
  const within = asked.filter(({ trusted }) => trusted === true).map(({ store }) => store);
  // If an account installs into one of several stores, each serves all programs; otherwise each program has its own.
  const enough = chosen.length < all.length ? within.length > 0 : without.length === 0;
  const unknown = asked.flatMap(({ trusted, store, error }) =>
    trusted === undefined ? [`Could not find out whether ${store} trusts it. ${error ?? ''}`.trim()] : [],
  );
  if (enough && within.length > 0) {
    const later = await notTrustedLater(part, certificates, { all, chosen }, within);
    return ok([`trusted in ${within.join(', ')}`, ...later, ...unknown].join('. '));
  }
  if (without.length > 0) {
    return failed(
      `Not trusted in ${without.join(', ')}: browsers will reject it or warn.`,
      [`Run: ${commandFor(dataDir, 'platen cert install')}. Then restart the browsers.`, ...unknown].join('\n'),
    );
  }
  return skipped(unknown.join(' ') || 'this system has no known trust store');
}

/** @returns a sentence if a store that trusts the certificate does not trust the next one */
async function notTrustedLater(
  part: PublicPart,
  all: readonly PublicPart[],
  stores: TrustStores,
  within: readonly string[],
): Promise<readonly string[]> {
  const [, next] = chainFrom(part, all);
  if (!next) return [];
  const asked = await whereTrusted({ pem: next.cert, sha1: next.thumbprintSha1 }, stores);
  const lacking = asked.filter(({ store, trusted }) => trusted === false && within.includes(store));
  if (lacking.length === 0) return [];
  return [
    `The next certificate is not trusted in ${lacking.map(({ store }) => store).join(', ')}; run: platen cert install`,
  ];
}
