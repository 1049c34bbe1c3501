/** The DNS records of scanners, and the service instances they make up. Senders are not trusted: all is limited. */
import { isIP } from 'node:net';
import type { QueryPacket, ResponsePacket } from 'multicast-dns';
import { cacheRecord, expireSoon, isExpired, nextQuery, type CachedRecord } from './cachedRecord.js';
import type { ServiceInstance } from './endpoint.js';

type Answer = NonNullable<ResponsePacket['answers']>[number];
export type Question = NonNullable<QueryPacket['questions']>[number];

/** Times are milliseconds of a monotonic clock. */
export interface RecordCache {
  /** @param from the sender's address, if known */
  receive(packet: Pick<ResponsePacket, 'answers' | 'additionals'>, from: string | undefined, now: number): void;
  /** The questions to send now: for missing records and for those about to expire. They count as sent. */
  questions(now: number): Question[];
  /** When the next question is due, or the next record expires. */
  nextDue(): number;
  /** The resolved instances, in the order in which they were first heard of. */
  instances(now: number): readonly ServiceInstance[];
}

/** The first scanners of a network, and of one sender, are kept; the rest is ignored. */
const MAX_SERVICES = 200;
const MAX_PER_SENDER = 100;
const MAX_ADDRESSES = 8;
const MAX_TXT = 64;
const MAX_QUESTIONS = 20;
/** When missing records are queried, in milliseconds after they were first missed. */
const missingQueries = [0, 500, 1500, 4000] as const;
/** An instance that is still unresolved after this is dropped. */
const UNRESOLVED_MS = 8000;

/** The lifetime of a record. */
interface Lifetime {
  readonly ttl?: number | undefined;
  readonly flush?: boolean | undefined;
}

interface Service {
  readonly isTls: boolean;
  readonly fullName: string;
  readonly from: string | undefined;
  /** When it was last resolved, or first heard of. */
  unresolvedSince: number;
  /** Queries for its missing records. */
  queries: number;
  ptr: CachedRecord<null>;
  srv?: CachedRecord<{ readonly host: string; readonly port: number }> | undefined;
  txt?: CachedRecord<Readonly<Record<string, string>>> | undefined;
}

export function createRecordCache(): RecordCache {
  const services = new Map<string, Service>();
  const addresses = new Map<string, CachedRecord<string>[]>();

  const hostOf = ({ srv }: Service): string => srv?.value.host ?? '';
  const isUnresolved = (service: Service): boolean => !service.srv || !service.txt || !addresses.has(hostOf(service));

  function receivePtr(
    name: string,
    isTls: boolean,
    fullName: string,
    { ttl }: Lifetime,
    from: string | undefined,
    now: number,
  ): void {
    const known = services.get(name);
    if (ttl === 0) {
      if (known) expireSoon(known.ptr, now);
    } else if (known) known.ptr = cacheRecord(null, ttl, now);
    else if (hasRoom(from))
      services.set(name, { isTls, fullName, from, unresolvedSince: now, queries: 0, ptr: cacheRecord(null, ttl, now) });
  }

  /** Makes room by dropping the instance that has been unresolved for longest: names alone cost nothing to send. */
  function hasRoom(from: string | undefined): boolean {
    const all = [...services];
    const isFull = (some: typeof all, max: number): boolean => {
      if (some.length < max) return false;
      const [oldest] = some.find(([, service]) => isUnresolved(service)) ?? [];
      if (oldest === undefined) return true;
      return !services.delete(oldest);
    };
    return (
      !isFull(
        all.filter(([, each]) => each.from === from),
        MAX_PER_SENDER,
      ) && !(services.size >= MAX_SERVICES && isFull([...services], MAX_SERVICES))
    );
  }

  function receiveRecord(record: Answer, from: string | undefined, now: number): void {
    const name = lower(record.name);
    if (record.type === 'PTR') {
      const type = /^_uscan(s?)\._tcp\.local$/.exec(name);
      if (type && lower(record.data).endsWith(`.${name}`))
        receivePtr(lower(record.data), type[1] === 's', record.data, record, from, now);
    } else if (record.type === 'SRV' || record.type === 'TXT') {
      const service = services.get(name);
      if (!service) return;
      const field = record.type === 'SRV' ? 'srv' : 'txt';
      const last = service[field];
      if (record.ttl === 0) {
        if (last) expireSoon(last, now);
      } else if (record.type === 'SRV')
        service.srv = cacheRecord({ host: lower(record.data.target), port: record.data.port }, record.ttl, now);
      else service.txt = cacheRecord(textOf(record.data), record.ttl, now);
    } else if (record.type === 'A' || record.type === 'AAAA') {
      const isHost = [...services.values()].some(service => hostOf(service) === name);
      if (isHost && isCallable(record.data, from)) receiveAddress(name, record.data, record, now);
    }
  }

  function receiveAddress(host: string, address: string, { ttl, flush = false }: Lifetime, now: number): void {
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
  }

  /** Drops expired records, and instances that stay unresolved. */
  function prune(now: number): void {
    for (const [name, service] of services) {
      if (isExpired(service.ptr, now)) services.delete(name);
      if (service.srv && isExpired(service.srv, now)) service.srv = undefined;
      if (service.txt && isExpired(service.txt, now)) service.txt = undefined;
    }
    const hosts = new Set([...services.values()].map(hostOf));
    for (const [host, known] of addresses) {
      const left = known.filter(each => !isExpired(each, now));
      if (left.length > 0 && hosts.has(host)) addresses.set(host, left);
      else addresses.delete(host);
    }
    for (const [name, service] of services) {
      if (!isUnresolved(service)) Object.assign(service, { queries: 0, unresolvedSince: now });
      else if (now >= service.unresolvedSince + UNRESOLVED_MS) services.delete(name);
    }
  }

  const missingAt = (service: Service): number => {
    const wait = missingQueries[service.queries];
    return service.unresolvedSince + (wait ?? UNRESOLVED_MS);
  };

  /** The questions for its records, each with the cached record, if any. */
  function* recordsOf(
    service: Service,
  ): Generator<{ readonly question: Question; readonly record: CachedRecord<unknown> | undefined }> {
    const name = lower(service.fullName);
    const host = hostOf(service);
    const type = name.slice(name.lastIndexOf('._uscan') + 1);
    const all: Question = { name: type, type: 'PTR' };
    // A name with dots cannot be queried, as dots separate labels. The query for its type returns its records too.
    const hasDots = name.slice(0, -type.length - 1).includes('.');
    yield { question: all, record: service.ptr };
    yield { question: hasDots ? all : { name, type: 'SRV' }, record: service.srv };
    yield { question: hasDots ? all : { name, type: 'TXT' }, record: service.txt };
    if (service.srv) yield { question: { name: host, type: 'A' }, record: addresses.get(host)?.[0] };
  }

  return {
    receive({ answers, additionals }, from, now) {
      prune(now);
      const all = [...(answers ?? []), ...(additionals ?? [])];
      // PTR records name the services, SRV records the hosts: without those the others are ignored.
      for (const types of [['PTR'], ['SRV', 'TXT'], ['A', 'AAAA']])
        for (const each of all) if (types.includes(each.type)) receiveRecord(each, from, now);
    },
    questions(now) {
      prune(now);
      const found = new Map<string, Question>();
      // Fewest queries first: a flood of names does not keep a scanner from being resolved.
      for (const service of [...services.values()].sort(
        (a, b) => a.queries - b.queries || b.unresolvedSince - a.unresolvedSince,
      )) {
        if (found.size >= MAX_QUESTIONS) break;
        const isMissingDue =
          isUnresolved(service) && service.queries < missingQueries.length && now >= missingAt(service);
        for (const { question, record } of recordsOf(service)) {
          if (record ? now < nextQuery(record) : !isMissingDue) continue;
          if (record) record.queries++;
          found.set(`${question.type} ${question.name}`, question);
        }
        if (isMissingDue) service.queries++;
      }
      return [...found.values()];
    },
    nextDue() {
      const times = [...services.values()].flatMap(service => [
        ...(isUnresolved(service) ? [missingAt(service)] : []),
        ...[...recordsOf(service)].flatMap(({ record }) =>
          record ? [Math.min(nextQuery(record), record.expiresAt)] : [],
        ),
      ]);
      return times.reduce((least, each) => Math.min(least, each), Infinity);
    },
    instances(now) {
      prune(now);
      return [...services.values()].flatMap(({ isTls, fullName, srv, txt }) => {
        const known = addresses.get(srv?.value.host ?? '') ?? [];
        const address = (known.find(each => isIP(each.value) === 4) ?? known[0])?.value;
        return address === undefined || !srv || !txt
          ? []
          : [{ isTls, fullName, host: srv.value.host, address, port: srv.value.port, txt: txt.value }];
      });
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

function textOf(data: unknown): Readonly<Record<string, string>> {
  const lines = (Array.isArray(data) ? data : [data]).slice(0, MAX_TXT).map(String);
  return Object.fromEntries(
    lines
      .map(line => /^([^=]*)=?(.*)$/s.exec(line) ?? [])
      .map(([, key = '', value = '']) => [key.toLowerCase(), value]),
  );
}

function lower(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
