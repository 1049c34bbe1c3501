/** The service's certificates in the data folder: which one is served now, and those that follow it. */
import { CertificateError } from './error.js';
import { chainFrom, chooseCurrent, type IsTrusted } from './choose.js';
import { daysUntil, numbersIn, readCertOnly, readPair, type Certificate, type PublicPart } from './pair.js';
import { isTrustedBy, readRecord } from './trust/record.js';

export { createCertificate, removeCertificate } from './create.js';
export { CertificateError, type CertificateFault } from './error.js';
export type { Certificate, PublicPart } from './pair.js';

/** What the data folder has. */
export interface Certificates {
  /** With their keys, valid or not. */
  readonly usable: readonly Certificate[];
  /** The first fault of the first certificate. */
  readonly fault?: CertificateError;
  /** Files of successors that cannot be used. */
  readonly damaged: readonly CertificateError[];
  readonly isTrusted: IsTrusted<PublicPart>;
}

export async function readCertificates(dir: string, now: Date): Promise<Certificates> {
  const usable: Certificate[] = [];
  const damaged: CertificateError[] = [];
  let fault: CertificateError | undefined;
  for (const number of await numbersIn(dir)) {
    try {
      usable.push(await readPair(dir, number, now));
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      if (number === 1) fault = error;
      else damaged.push(error);
    }
  }
  return { usable, damaged, isTrusted: await trustIn(dir, usable), ...(fault ? { fault } : {}) };
}

/**
 * The certificate to serve now.
 * @param dir the data folder
 * @throws {CertificateError} a sentence with the command that fixes it
 */
export async function readCertificate(dir: string, now: Date = new Date()): Promise<Certificate> {
  return servedOf(await readCertificates(dir, now), now);
}

/** @throws {CertificateError} if none can be served */
export function servedOf({ usable, fault, isTrusted }: Certificates, now: Date): Certificate {
  // Something is wrong with the folder, beyond what time and an interrupted command do to it.
  if (fault && fault.fault !== 'missing') throw fault;
  const chosen = chooseCurrent(usable, now, isTrusted);
  if (chosen) return chosen;
  const last = lastBegun(usable, now);
  if (!last) throw fault ?? new CertificateError('missing', 'There is no certificate');
  if (now < last.begins)
    throw new CertificateError(
      'not-yet-valid',
      `The certificate ${last.file} is not valid before ${last.begins.toISOString()} (check this computer's clock)`,
    );
  throw new CertificateError('expired', `The certificate ${last.file} expired on ${last.expires.toISOString()}`);
}

/** The served certificate without its key, valid or not; undefined if there is none. */
export async function readPublicPart(dir: string, now: Date = new Date()): Promise<PublicPart | undefined> {
  const all = await readPublicParts(dir, now);
  return chooseCurrent(all, now, await trustIn(dir, all)) ?? lastBegun(all, now);
}

/** All certificates without their keys, valid or not: replaced ones too. */
export async function readPublicParts(dir: string, now: Date = new Date()): Promise<readonly PublicPart[]> {
  const parts: PublicPart[] = [];
  for (const number of await numbersIn(dir)) {
    const part = await readCertOnly(dir, number, now);
    if (part) parts.push(part);
  }
  return parts;
}

/** How long the certificates last. */
export interface Lasting {
  /** When the last trusted one ends. */
  readonly until: Date;
  /** Whole days until then. */
  readonly daysLeft: number;
  /** Those that follow the served one, in their order, trusted or not. */
  readonly successors: readonly PublicPart[];
}

/** From this many days on, people are told to run `platen cert install` again. */
export const REMIND_DAYS = 90;

export function lastingOf(
  served: PublicPart,
  all: readonly PublicPart[],
  isTrusted: IsTrusted<PublicPart>,
  now: Date,
): Lasting {
  const until = chainFrom(served, all, isTrusted).at(-1)!.expires;
  return { until, daysLeft: daysUntil(until, now), successors: chainFrom(served, all).slice(1) };
}

/** The one that ended last; if none has begun, the first. */
function lastBegun<T extends PublicPart>(all: readonly T[], now: Date): T | undefined {
  const begun = all.filter(({ begins }) => begins <= now);
  return begun.sort((a, b) => b.expires.getTime() - a.expires.getTime())[0] ?? all[0];
}

async function trustIn(dir: string, all: readonly PublicPart[]): Promise<IsTrusted<PublicPart>> {
  const isTrusted = isTrustedBy(
    await readRecord(dir),
    all.map(each => each.thumbprintSha1),
  );
  return each => isTrusted(each.thumbprintSha1);
}
