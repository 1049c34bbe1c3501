/** The served certificate of a running service: once an hour it changes to its successor, if that is due. */
import { messageOf, type Log } from '@platen/core';
import {
  CertificateError,
  lastingOf,
  readCertificates,
  REMIND_DAYS,
  servedOf,
  type Certificate,
  type Certificates,
} from './certificate.js';
import { renewAlone } from './ensure.js';
import { isOwnCertificate } from './ownShape.js';
import { readRecord } from './trust/record.js';

const HOUR_MS = 60 * 60 * 1000;

export interface KeepParts {
  /** The data folder. */
  readonly dir: string;
  readonly log: Log;
  /** What the service began with. */
  readonly served: Certificate;
  /** New connections get this one. */
  present(tls: { readonly key: string; readonly cert: string }): void;
}

/**
 * The certificate to begin with. An expired one is not renewed here: the interface says that the service does not start.
 * @throws {CertificateError} if none is valid
 */
export async function startCertificate(dir: string, log: Log, now: Date = new Date()): Promise<Certificate> {
  const found = await readCertificates(dir, now);
  const served = servedOf(found, now);
  // Logged before the service says that it listens, so that a reader of that line finds these in the log.
  log.info(`${named(served)}.`);
  tellEnd(served, found, now, log);
  return served;
}

/** @returns ends it */
export function keepCertificate(parts: KeepParts): () => void {
  const check = createRenewal(parts);
  // A timer of an hour, not one for the day of the change: clocks jump, and computers sleep.
  const timer = setInterval(() => void check(new Date()), HOUR_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** @returns looks once whether another certificate is due; never rejects */
export function createRenewal({ dir, log, served: first, present }: KeepParts): (now: Date) => Promise<void> {
  let served = first;
  /** Each is told once a day. */
  let [told, toldOn] = ['', ''];
  return async now => {
    try {
      const { served: due, found } = await servedNow(dir, now, log);
      if (due.thumbprintSha256 !== served.thumbprintSha256) {
        present({ key: due.key, cert: due.cert });
        served = due;
        log.info(`${named(due)}, takes over from the one before.`);
      }
      const today = now.toISOString().slice(0, 10);
      if (toldOn !== today) tellEnd(served, found, now, log);
      toldOn = today;
      told = '';
    } catch (error) {
      // The service goes on with the one that it has.
      if (told !== messageOf(error)) log.error(`No other certificate can be served: ${messageOf(error)}`);
      told = messageOf(error);
    }
  };
}

async function servedNow(dir: string, now: Date, log: Log): Promise<{ served: Certificate; found: Certificates }> {
  const found = await readCertificates(dir, now);
  try {
    return { served: servedOf(found, now), found };
  } catch (error) {
    if (!(error instanceof CertificateError) || error.fault !== 'expired' || !(await isOurAffair(dir, found)))
      throw error;
  }
  await renewAlone(dir, found, now);
  log.warn('The certificate expired. No trust store is known to have it, so a new one was made.');
  const renewed = await readCertificates(dir, now);
  return { served: servedOf(renewed, now), found: renewed };
}

/** Nobody loses trust in what has expired, if Platen made it and trusts it nowhere. */
const isOurAffair = async (dir: string, { usable }: Certificates): Promise<boolean> =>
  (await readRecord(dir)).length === 0 && usable.every(({ cert }) => isOwnCertificate(cert));

function tellEnd(served: Certificate, { usable, isTrusted, damaged }: Certificates, now: Date, log: Log): void {
  for (const { what } of damaged) log.warn(`${what}. To replace it, run "platen cert install".`);
  const { until, daysLeft } = lastingOf(served, usable, isTrusted, now);
  if (daysLeft < REMIND_DAYS)
    log.warn(
      `The last certificate expires in ${daysLeft} days, on ${until.toISOString()}. To add successors, run "platen cert install" with administrator rights. The service takes them without a restart.`,
    );
}

const named = ({ thumbprintSha1, thumbprintSha256, expires }: Certificate): string =>
  `Certificate ${thumbprintSha1} (SHA-1), ${thumbprintSha256} (SHA-256), valid until ${expires.toISOString()}`;
