/** A cached DNS record: it expires with its time to live, and is queried again before that (RFC 6762, 5.2). */

/** Seconds: the usual TTL of PTR records. A longer TTL is reduced to it. */
const MAX_TTL = 4500;
/** Fractions of the time to live at which the record is queried again. */
const refreshAt = [0.8, 0.85, 0.9, 0.95] as const;
/** How long a record lives on after a goodbye, or after a cache flush replaced it. */
const GOODBYE_MS = 1000;

/** What a received record says of its lifetime. */
export interface Lifetime {
  /** Seconds; 0 is a goodbye. */
  readonly ttl?: number | undefined;
  /** The cache-flush bit: it replaces earlier records of its name. */
  readonly flush?: boolean | undefined;
}

export interface CachedRecord<T> {
  readonly value: T;
  /** When it was received, and when it expires: milliseconds of the monotonic clock. */
  readonly receivedAt: number;
  expiresAt: number;
  /** Queries for it since it was received. */
  queries: number;
}

/** @param ttl in seconds */
export function cacheRecord<T>(value: T, ttl: number | undefined, now: number): CachedRecord<T> {
  const seconds = Math.min(Math.max(ttl ?? MAX_TTL, 1), MAX_TTL);
  return { value, receivedAt: now, expiresAt: now + seconds * 1000, queries: 0 };
}

/** Ends a record after a goodbye or a cache flush. It lives for another second, in which it may be announced again. */
export function expireSoon(record: CachedRecord<unknown>, now: number): void {
  record.expiresAt = Math.min(record.expiresAt, now + GOODBYE_MS);
  record.queries = refreshAt.length;
}

export const isExpired = (record: CachedRecord<unknown>, now: number): boolean => now >= record.expiresAt;

/** When it is to be queried again; Infinity after the last of those queries. */
export function nextQuery({ receivedAt, expiresAt, queries }: CachedRecord<unknown>): number {
  const part = refreshAt[queries];
  return part === undefined ? Infinity : receivedAt + (expiresAt - receivedAt) * part;
}

/** A name to compare others with: DNS ignores case, and the final dot may be missing. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
