/** Adds certificates to the trust stores, removes them and their predecessors, and records what it did. */
import { readRecord, writeRecord, type Entry } from './record.js';
import { TrustError, type PublicCertificate, type TrustStore } from './store.js';
import type { TrustStores } from './stores.js';

/** Sentences for the person who ran the command. */
export interface Outcome {
  readonly done: readonly string[];
  /** The steps that failed, with the fix for each. */
  readonly failed: readonly string[];
  /** What was left as it is, because Platen did not make it. */
  readonly left: readonly string[];
}

/** So many certificates are added where a person confirms each one: the served one and the next. */
export const CONFIRMED = 2;

/**
 * Idempotent. Also removes predecessors: the recorded ones and those passed.
 * @param dir the data folder
 * @param certificates the served one, then its successors
 * @param left neither added nor removed
 */
export async function trustCertificates(
  dir: string,
  certificates: readonly PublicCertificate[],
  predecessors: readonly PublicCertificate[],
  stores: TrustStores,
  left: readonly PublicCertificate[] = [],
): Promise<Outcome> {
  const done: string[] = [];
  const failed: string[] = [];
  for (const store of stores.chosen) {
    const added: PublicCertificate[] = [];
    try {
      for (const each of store.asks ? certificates.slice(0, CONFIRMED) : certificates)
        if (!(await store.trusted(each))) added.push(each);
      if (added.length === 0) {
        done.push(`Already trusted in ${store.name}.`);
      } else {
        // Recorded first: each one that may be in a store is known.
        for (const { pem, sha1 } of added) await remember(dir, { store: store.name, pem, sha1 });
        await store.add(added);
        done.push(`Now trusted in ${store.name}.`);
      }
    } catch (error) {
      failed.push(`Not trusted in ${store.name}. ${sentenceOf(error)}`);
      await forgetUntrusted(dir, store, added);
    }
  }
  const kept = new Set([...certificates, ...left].map(({ sha1 }) => sha1));
  const removed = await withdraw(dir, predecessors, stores, each => !kept.has(each.sha1));
  return { done: [...done, ...removed.done], failed: [...failed, ...removed.failed], left: removed.left };
}

/** The service takes what is recorded for trusted. */
async function forgetUntrusted(dir: string, store: TrustStore, added: readonly PublicCertificate[]): Promise<void> {
  for (const { pem, sha1 } of added) {
    const isThere = await store.trusted({ pem, sha1 }).catch(() => true);
    if (!isThere) await forget(dir, each => each.store === store.name && each.sha1 === sha1).catch(() => undefined);
  }
}

/** Removes every certificate that was ever added to a store from all stores. */
export function distrust(
  dir: string,
  certificates: readonly PublicCertificate[],
  stores: TrustStores,
): Promise<Outcome> {
  return withdraw(dir, certificates, stores, () => true);
}

async function withdraw(
  dir: string,
  named: readonly PublicCertificate[],
  stores: TrustStores,
  which: (each: PublicCertificate) => boolean,
): Promise<Outcome> {
  const done: string[] = [];
  const failed: string[] = [];
  const left: string[] = [];
  const record = await readRecord(dir);
  const certificates = new Map([...record, ...named].filter(which).map(each => [each.sha1, each]));
  for (const certificate of certificates.values()) {
    for (const store of stores.all) {
      const recorded = record.some(each => each.store === store.name && each.sha1 === certificate.sha1);
      const forgetIt = (): Promise<void> =>
        forget(dir, each => each.store === store.name && each.sha1 === certificate.sha1);
      try {
        if (await store.remove(certificate)) done.push(`Removed ${certificate.sha1} from ${store.name}.`);
        await forgetIt();
      } catch (error) {
        if (error instanceof TrustError && error.fault === 'foreign') {
          left.push(`${certificate.sha1} is still in ${store.name}. ${error.message}`);
          await forgetIt();
          continue;
        }
        // Ignore a store to which it was never added and that cannot be asked.
        if (!recorded && !(error instanceof TrustError && error.fault === 'administrator')) continue;
        failed.push(`${certificate.sha1} is still in ${store.name}. ${sentenceOf(error)}`);
      }
    }
    // A store that no longer exists has no certificates.
    await forget(dir, each => each.sha1 === certificate.sha1 && !stores.all.some(store => store.name === each.store));
  }
  return { done, failed, left };
}

/** Asks each store whether it trusts the certificate; undefined if a store cannot be asked, with the error. */
export async function whereTrusted(
  certificate: PublicCertificate,
  { all }: TrustStores,
): Promise<{ store: string; trusted: boolean | undefined; error?: string }[]> {
  const ask = async (store: TrustStore): Promise<{ store: string; trusted: boolean | undefined; error?: string }> => {
    try {
      return { store: store.name, trusted: await store.trusted(certificate) };
    } catch (error) {
      return { store: store.name, trusted: undefined, error: sentenceOf(error) };
    }
  };
  return Promise.all(all.map(ask));
}

async function remember(dir: string, entry: Entry): Promise<void> {
  const others = (await readRecord(dir)).filter(each => each.store !== entry.store || each.sha1 !== entry.sha1);
  await writeRecord(dir, [...others, entry]);
}

async function forget(dir: string, which: (each: Entry) => boolean): Promise<void> {
  const record = await readRecord(dir);
  if (record.some(which))
    await writeRecord(
      dir,
      record.filter(each => !which(each)),
    );
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
