/** What the network has said of its scanners: DNS records, put together. A sender is not trusted, so there are limits. */
import { isIP } from 'node:net';
import type { QueryPacket, ResponsePacket } from 'multicast-dns';
import { fade, isOver, keep, nextAsk, type Kept } from './kept.js';
import type { ServiceInstance } from './endpoint.js';

type Answer = NonNullable<ResponsePacket['answers']>[number];
export type Question = NonNullable<QueryPacket['questions']>[number];

/** Times are milliseconds of a monotonic clock. */
export interface Records {
  /** @param from the sender's address, where it is known */
  take(packet: Pick<ResponsePacket, 'answers' | 'additionals'>, from: string | undefined, now: number): void;
  /** What is to be asked for now: what is missing, and what is about to end. It counts as asked. */
  questions(now: number): Question[];
  /** When there may be something to ask for, or something ends. */
  next(): number;
  /** Scanners of which all is known, in the order in which they were heard of first. */
  instances(now: number): readonly ServiceInstance[];
}

/** Of a network with more scanners than this the first ones are listed, and of one computer with more than that. */
const MOST_SERVICES = 200;
const MOST_OF_ONE = 100;
const MOST_ADDRESSES = 8;
const MOST_TXT = 64;
const MOST_QUESTIONS = 20;
/** What is missing is asked for at these times after it was first missed, in milliseconds. */
const missingAsks = [0, 500, 1500, 4000] as const;
/** After that what is still incomplete makes room. */
const UNRESOLVED_MS = 8000;

/** Of a record, besides its data. */
interface Lasting {
  readonly ttl?: number | undefined;
  readonly flush?: boolean | undefined;
}

interface Service {
  readonly isTls: boolean;
  readonly fullName: string;
  readonly from: string | undefined;
  /** When it was complete last, or was heard of. */
  lackingSince: number;
  /** How often what it lacks was asked for. */
  asked: number;
  ptr: Kept<null>;
  srv?: Kept<{ readonly host: string; readonly port: number }> | undefined;
  txt?: Kept<Readonly<Record<string, string>>> | undefined;
}

export function createRecords(): Records {
  const services = new Map<string, Service>();
  const addresses = new Map<string, Kept<string>[]>();

  const hostOf = ({ srv }: Service): string => srv?.value.host ?? '';
  const lacks = (service: Service): boolean => !service.srv || !service.txt || !addresses.has(hostOf(service));

  function hear(name: string, isTls: boolean, fullName: string, { ttl }: Lasting, from: string | undefined, now: number): void {
    const known = services.get(name);
    if (ttl === 0) {
      if (known) fade(known.ptr, now);
    } else if (known) known.ptr = keep(null, ttl, now);
    else if (hasRoom(from)) services.set(name, { isTls, fullName, from, lackingSince: now, asked: 0, ptr: keep(null, ttl, now) });
  }

  /** Makes room by letting go of the service that has been incomplete for longest: names alone cost nothing to send. */
  function hasRoom(from: string | undefined): boolean {
    const all = [...services];
    const isFull = (some: typeof all, most: number): boolean => {
      if (some.length < most) return false;
      const [oldest] = some.find(([, service]) => lacks(service)) ?? [];
      if (oldest === undefined) return true;
      return !services.delete(oldest);
    };
    return !isFull(all.filter(([, each]) => each.from === from), MOST_OF_ONE) && !(services.size >= MOST_SERVICES && isFull([...services], MOST_SERVICES));
  }

  function take(record: Answer, from: string | undefined, now: number): void {
    const name = lower(record.name);
    if (record.type === 'PTR') {
      const type = /^_uscan(s?)\._tcp\.local$/.exec(name);
      if (type && lower(record.data).endsWith(`.${name}`)) hear(lower(record.data), type[1] === 's', record.data, record, from, now);
    } else if (record.type === 'SRV' || record.type === 'TXT') {
      const service = services.get(name);
      if (!service) return;
      const field = record.type === 'SRV' ? 'srv' : 'txt';
      const last = service[field];
      if (record.ttl === 0) {
        if (last) fade(last, now);
      } else if (record.type === 'SRV') service.srv = keep({ host: lower(record.data.target), port: record.data.port }, record.ttl, now);
      else service.txt = keep(textOf(record.data), record.ttl, now);
    } else if (record.type === 'A' || record.type === 'AAAA') {
      const isHost = [...services.values()].some(service => hostOf(service) === name);
      if (isHost && isCallable(record.data, from)) takeAddress(name, record.data, record, now);
    }
  }

  function takeAddress(host: string, address: string, { ttl, flush = false }: Lasting, now: number): void {
    const known = addresses.get(host) ?? [];
    const same = known.find(each => each.value === address);
    if (ttl === 0) {
      if (same) fade(same, now);
      return;
    }
    const others = known.filter(each => each !== same);
    // The cache-flush bit: what this host said more than a second ago is over (RFC 6762, 10.2).
    if (flush) for (const each of others) if (isIP(each.value) === isIP(address) && now - each.at > 1000) fade(each, now);
    const kept = keep(address, ttl, now);
    // One that is heard again keeps its position: a host with several addresses is not called at one and then the other.
    addresses.set(host, same ? known.map(each => (each === same ? kept : each)) : [kept, ...known].slice(0, MOST_ADDRESSES));
  }

  /** Lets go of what is over. */
  function prune(now: number): void {
    for (const [name, service] of services) {
      if (isOver(service.ptr, now)) services.delete(name);
      if (service.srv && isOver(service.srv, now)) service.srv = undefined;
      if (service.txt && isOver(service.txt, now)) service.txt = undefined;
    }
    const hosts = new Set([...services.values()].map(hostOf));
    for (const [host, known] of addresses) {
      const left = known.filter(each => !isOver(each, now));
      if (left.length > 0 && hosts.has(host)) addresses.set(host, left);
      else addresses.delete(host);
    }
    for (const [name, service] of services) {
      if (!lacks(service)) Object.assign(service, { asked: 0, lackingSince: now });
      else if (now >= service.lackingSince + UNRESOLVED_MS) services.delete(name);
    }
  }

  const missingAt = (service: Service): number => {
    const wait = missingAsks[service.asked];
    return service.lackingSince + (wait ?? UNRESOLVED_MS);
  };

  function* wanted(service: Service): Generator<{ readonly question: Question; readonly kept: Kept<unknown> | undefined }> {
    const name = lower(service.fullName);
    const host = hostOf(service);
    const type = name.slice(name.lastIndexOf('._uscan') + 1);
    const all: Question = { name: type, type: 'PTR' };
    // A name with dots in it cannot be asked for: a question has labels, which dots divide. With the type comes all that belongs to it.
    const hasDots = name.slice(0, -type.length - 1).includes('.');
    yield { question: all, kept: service.ptr };
    yield { question: hasDots ? all : { name, type: 'SRV' }, kept: service.srv };
    yield { question: hasDots ? all : { name, type: 'TXT' }, kept: service.txt };
    if (service.srv) yield { question: { name: host, type: 'A' }, kept: addresses.get(host)?.[0] };
  }

  return {
    take({ answers, additionals }, from, now) {
      prune(now);
      const all = [...(answers ?? []), ...(additionals ?? [])];
      // A service is known before what belongs to it, and a host before its addresses.
      for (const types of [['PTR'], ['SRV', 'TXT'], ['A', 'AAAA']]) for (const each of all) if (types.includes(each.type)) take(each, from, now);
    },
    questions(now) {
      prune(now);
      const found = new Map<string, Question>();
      // Those that were asked for least come first: a flood of names does not keep a scanner from being asked.
      for (const service of [...services.values()].sort((a, b) => a.asked - b.asked || b.lackingSince - a.lackingSince)) {
        if (found.size >= MOST_QUESTIONS) break;
        const asksMissing = lacks(service) && service.asked < missingAsks.length && now >= missingAt(service);
        for (const { question, kept } of wanted(service)) {
          if (kept ? now < nextAsk(kept) : !asksMissing) continue;
          if (kept) kept.asked++;
          found.set(`${question.type} ${question.name}`, question);
        }
        if (asksMissing) service.asked++;
      }
      return [...found.values()];
    },
    next() {
      const times = [...services.values()].flatMap(service => [
        ...(lacks(service) ? [missingAt(service)] : []),
        ...[...wanted(service)].flatMap(({ kept }) => (kept ? [Math.min(nextAsk(kept), kept.until)] : [])),
      ]);
      return times.reduce((least, each) => Math.min(least, each), Infinity);
    },
    instances(now) {
      prune(now);
      return [...services.values()].flatMap(({ isTls, fullName, srv, txt }) => {
        const known = addresses.get(srv?.value.host ?? '') ?? [];
        const address = (known.find(each => isIP(each.value) === 4) ?? known[0])?.value;
        return address === undefined || !srv || !txt ? [] : [{ isTls, fullName, address, port: srv.value.port, txt: txt.value }];
      });
    },
  };
}

/** Loopback is this computer's own, which nobody else may name; addresses of one link only cannot be called without its name. */
function isCallable(address: string, from: string | undefined): boolean {
  const version = isIP(address);
  if (version === 4) {
    if (address.startsWith('127.')) return from?.startsWith('127.') === true;
    return !/^(?:0\.|22[4-9]\.|2[3-5]\d\.)/.test(address);
  }
  return version === 6 && !/^(?:::|f[ef])/i.test(address);
}

function textOf(data: unknown): Readonly<Record<string, string>> {
  const lines = (Array.isArray(data) ? data : [data]).slice(0, MOST_TXT).map(String);
  return Object.fromEntries(lines.map(line => /^([^=]*)=?(.*)$/s.exec(line) ?? []).map(([, key = '', value = '']) => [key.toLowerCase(), value]));
}

function lower(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
