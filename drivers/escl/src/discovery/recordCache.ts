/** The DNS records of scanners, and the service instances they make up. Senders are not trusted: all is limited. */
import type { ResponsePacket } from 'multicast-dns';
import { cacheRecord, canonicalName, expireSoon, isExpired, type Lifetime } from './cachedRecord.js';
import {
  dueQuestions,
  hostOf,
  isUnresolved,
  nextDue,
  UNRESOLVED_MS,
  type CachedService,
  type Question,
} from './cachedService.js';
import type { ServiceInstance } from './endpoint.js';
import { createHostAddresses } from './hostAddresses.js';

type Answer = NonNullable<ResponsePacket['answers']>[number];

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
const MAX_TXT = 64;

export function createRecordCache(): RecordCache {
  const services = new Map<string, CachedService>();
  const addresses = createHostAddresses();

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
      const [oldest] = some.find(([, service]) => isUnresolved(service, addresses)) ?? [];
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
    const name = canonicalName(record.name);
    if (record.type === 'PTR') {
      const type = /^_uscan(s?)\._tcp\.local$/.exec(name);
      if (type && canonicalName(record.data).endsWith(`.${name}`))
        receivePtr(canonicalName(record.data), type[1] === 's', record.data, record, from, now);
    } else if (record.type === 'SRV' || record.type === 'TXT') {
      const service = services.get(name);
      if (!service) return;
      const field = record.type === 'SRV' ? 'srv' : 'txt';
      const last = service[field];
      if (record.ttl === 0) {
        if (last) expireSoon(last, now);
      } else if (record.type === 'SRV')
        service.srv = cacheRecord({ host: canonicalName(record.data.target), port: record.data.port }, record.ttl, now);
      else service.txt = cacheRecord(textOf(record.data), record.ttl, now);
    } else if (record.type === 'A' || record.type === 'AAAA') {
      const isHost = [...services.values()].some(service => hostOf(service) === name);
      if (isHost) addresses.receive(name, record.data, record, from, now);
    }
  }

  /** Drops expired records, and instances that stay unresolved. */
  function prune(now: number): void {
    for (const [name, service] of services) {
      if (isExpired(service.ptr, now)) services.delete(name);
      if (service.srv && isExpired(service.srv, now)) service.srv = undefined;
      if (service.txt && isExpired(service.txt, now)) service.txt = undefined;
    }
    addresses.prune(new Set([...services.values()].map(hostOf)), now);
    for (const [name, service] of services) {
      if (!isUnresolved(service, addresses)) Object.assign(service, { queries: 0, unresolvedSince: now });
      else if (now >= service.unresolvedSince + UNRESOLVED_MS) services.delete(name);
    }
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
      return dueQuestions([...services.values()], addresses, now);
    },
    nextDue: () => nextDue([...services.values()], addresses),
    instances(now) {
      prune(now);
      return [...services.values()].flatMap(({ isTls, fullName, srv, txt }) => {
        const address = addresses.addressOf(srv?.value.host ?? '');
        return address === undefined || !srv || !txt
          ? []
          : [{ isTls, fullName, host: srv.value.host, address, port: srv.value.port, txt: txt.value }];
      });
    },
  };
}

function textOf(data: unknown): Readonly<Record<string, string>> {
  const lines = (Array.isArray(data) ? data : [data]).slice(0, MAX_TXT).map(String);
  return Object.fromEntries(
    lines
      .map(line => /^([^=]*)=?(.*)$/s.exec(line) ?? [])
      .map(([, key = '', value = '']) => [key.toLowerCase(), value]),
  );
}
