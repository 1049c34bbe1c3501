/** What the network has said of its scanners: DNS records, put together. A sender is not trusted, so there are limits. */
import { isIP } from 'node:net';
import type { QueryPacket, ResponsePacket } from 'multicast-dns';
import type { Announcement } from './place.js';

type Answer = NonNullable<ResponsePacket['answers']>[number];
type Question = NonNullable<QueryPacket['questions']>[number];

export interface Records {
  /** @param from the sender's address, where it is known */
  take(packet: Pick<ResponsePacket, 'answers' | 'additionals'>, from: string | undefined): void;
  /** What is still to be asked for. */
  missing(): Question[];
  /** Scanners of which all is known. */
  announcements(): readonly Announcement[];
}

/** Of a network with more scanners than this the first ones are listed. */
const MOST_SERVICES = 200;
const MOST_ADDRESSES = 8;
const MOST_TXT = 64;

interface Service {
  readonly isTls: boolean;
  readonly fullName: string;
  host?: string;
  port?: number;
  txt?: Readonly<Record<string, string>>;
}

export function createRecords(): Records {
  const services = new Map<string, Service>();
  const addresses = new Map<string, string[]>();

  function take(record: Answer, from: string | undefined): void {
    const name = lower(record.name);
    if (record.type === 'PTR') {
      const type = /^_uscan(s?)\._tcp\.local$/.exec(name);
      if (!type || !lower(record.data).endsWith(`.${name}`)) return;
      // A goodbye: its time to live is over.
      if (record.ttl === 0) services.delete(lower(record.data));
      else if (services.size < MOST_SERVICES && !services.has(lower(record.data))) services.set(lower(record.data), { isTls: type[1] === 's', fullName: record.data });
    } else if (record.type === 'SRV') {
      const service = services.get(name);
      if (service) Object.assign(service, { host: lower(record.data.target), port: record.data.port });
    } else if (record.type === 'TXT') {
      const service = services.get(name);
      if (service) service.txt = textOf(record.data);
    } else if (record.type === 'A' || record.type === 'AAAA') {
      const isHost = [...services.values()].some(({ host }) => host === name);
      if (isHost && isCallable(record.data, from)) {
        const known = (addresses.get(name) ?? []).filter(each => each !== record.data);
        addresses.set(name, [record.data, ...known].slice(0, MOST_ADDRESSES));
      }
    }
  }

  return {
    take({ answers, additionals }, from) {
      const all = [...(answers ?? []), ...(additionals ?? [])];
      // A service is known before what belongs to it, and a host before its addresses.
      for (const types of [['PTR'], ['SRV', 'TXT'], ['A', 'AAAA']]) for (const each of all) if (types.includes(each.type)) take(each, from);
    },
    missing() {
      const questions: Question[] = [];
      for (const [name, { host, txt }] of services) {
        if (host === undefined) questions.push({ name, type: 'SRV' });
        else if (!addresses.has(host)) questions.push({ name: host, type: 'A' });
        if (txt === undefined) questions.push({ name, type: 'TXT' });
      }
      return questions.slice(0, 20);
    },
    announcements() {
      return [...services.values()].flatMap(({ isTls, fullName, host = '', port = 0, txt = {} }) => {
        const known = addresses.get(host) ?? [];
        const address = known.find(each => isIP(each) === 4) ?? known[0];
        return address === undefined ? [] : [{ isTls, fullName, address, port, txt }];
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
