/** The cached addresses of hosts: their A and AAAA records. */
import { isIP } from 'node:net';
import { cacheRecord, expireSoon, isExpired, type CachedRecord, type Lifetime } from './cachedRecord.js';

/** Times are milliseconds of a monotonic clock. */
export interface HostAddresses {
  has(host: string): boolean;
  /** The host's address: IPv4, if it has one. */
  addressOf(host: string): string | undefined;
  /** The record whose refresh asks for all of the host's addresses. */
  recordOf(host: string): CachedRecord<string> | undefined;
  /** @param from the sender's address, if known: an address that cannot be called is ignored */
  receive(host: string, address: string, lifetime: Lifetime, from: string | undefined, now: number): void;
  /** Drops expired records, and those of all other hosts. */
  prune(hosts: ReadonlySet<string>, now: number): void;
}

/** The latest ones of a host are kept. */
const MAX_ADDRESSES = 8;

export function createHostAddresses(): HostAddresses {
  const addresses = new Map<string, readonly CachedRecord<string>[]>();

  return {
    has: host => addresses.has(host),
    addressOf(host) {
      const known = addresses.get(host) ?? [];
      return (known.find(each => isIP(each.value) === 4) ?? known[0])?.value;
    },
    recordOf: host => addresses.get(host)?.[0],
    receive(host, address, { ttl, flush = false }, from, now) {
      if (!isCallable(address, from)) return;
      const known = addresses.get(host) ?? [];
      const same = known.find(each => each.value === address);
      if (ttl === 0) {
        if (same) expireSoon(same, now);
        return;
      }
      const others = known.filter(each => each !== same);
      // The cache-flush bit: records of this host older than a second expire (RFC 6762, 10.2).
      if (flush)
        for (const each of others)
          if (isIP(each.value) === isIP(address) && now - each.receivedAt > 1000) expireSoon(each, now);
      const record = cacheRecord(address, ttl, now);
      // A repeated address keeps its position: a host with several addresses stays at one endpoint.
      addresses.set(
        host,
        same ? known.map(each => (each === same ? record : each)) : [record, ...known].slice(0, MAX_ADDRESSES),
      );
    },
    prune(hosts, now) {
      for (const [host, known] of addresses) {
        const left = known.filter(each => !isExpired(each, now));
        if (left.length > 0 && hosts.has(host)) addresses.set(host, left);
        else addresses.delete(host);
      }
    },
  };
}

/** Loopback counts only from this computer itself; a link-local address cannot be called without its interface. */
function isCallable(address: string, from: string | undefined): boolean {
  const version = isIP(address);
  if (version === 4) {
    if (address.startsWith('127.')) return from?.startsWith('127.') === true;
    return !/^(?:0\.|22[4-9]\.|2[3-5]\d\.)/.test(address);
  }
  return version === 6 && !/^(?:::|f[ef])/i.test(address);
}
